import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { GitProject } from "../support/git-project.js";
import { readTree } from "../support/read-tree.js";
import { GitError } from "./git.js";
import { land } from "./land.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** The page of all rules. */
const PAGE = "fixtures/golden/few/expected/contract.md";

/** A repository with rules, and texts that are made of them. */
let project: GitProject;
let said: string;

beforeEach(() => {
  project = new GitProject(temporaryFolder());
  // A commit that opens an editor fails.
  for (const [name, value] of Object.entries({
    "user.name": "test",
    "user.email": "test@example.com",
    "core.editor": "false",
  })) {
    project.git("config", name, value);
  }
  project.write({
    "rules/1.txt": "The first rule.\n",
    "fixtures/golden/few/service.yaml": "few\n",
    "fixtures/golden/many/service.yaml": "many\n",
    "src/written.ts": "written\n",
    "docs/changelog/first.md": "- Added: The first rule.\n",
  });
  accept();
  project.commit("first");
});

test("two changes with a rule, its texts and an entry of the changelog land one after the other", () => {
  branchWithRule("one", "2.txt", "A rule of one.\n");
  branchWithRule("two", "3.txt", "A rule of two.\n");

  project.git("switch", "--quiet", "one");
  expect(landed()).toBe(true);
  expect(said).toContain("one has all of main.\nNext: `.ci/run`");
  toMain("one");

  project.git("switch", "--quiet", "two");
  expect(landed()).toBe(true);
  expect(said).toContain("main is merged into two.\nNext: `.ci/run`");
  expect(said).toContain("+ A rule of one.\n +A rule of two.\n");
  toMain("two");

  const rules = "The first rule.\nA rule of one.\nA rule of two.\n";
  expect(read(PAGE)).toBe(rules);
  expect(read("fixtures/golden/few/expected/rules.txt")).toBe(`few\n${rules}`);
  expect(readdirSync(join(project.root, "docs/changelog"))).toEqual([
    "first.md",
    "one.md",
    "two.md",
  ]);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.git("log", "-1", "--format=%P").split(" ")).toHaveLength(2);
  expect(project.git("log", "-1", "--format=%B").trim()).toBe("Merge branch 'main' into two");
});

test("lines that neither side made are shown, and the merge is not committed", () => {
  branchWithRule("one", "2.txt", "A rule of one.\n", withCount);
  branchWithRule("two", "3.txt", "A rule of two.\n", withCount);
  toMain("one");
  const before = project.git("rev-parse", "two");

  project.git("switch", "--quiet", "two");
  expect(landed(withCount)).toBe(false);
  expect(said).toContain("--2 rules\n++3 rules\n");
  expect(said).toContain("`git commit` does it when they are right. `git merge --abort` goes back");
  expect(project.git("rev-parse", "HEAD")).toBe(before);

  project.git("commit", "--no-edit");
  expect(project.git("log", "-1", "--format=%P").split(" ")).toHaveLength(2);
  expect(read(PAGE)).toContain("3 rules\n");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a conflict in another file undoes the merge, and the file is listed", () => {
  branchWithRule("one", "2.txt", "A rule of one.\n");
  commitOn("one", { "src/written.ts": "by one\n" });
  branchWithRule("two", "3.txt", "A rule of two.\n");
  commitOn("two", { "src/written.ts": "by two\n" });
  toMain("one");
  project.git("switch", "--quiet", "two");
  const before = project.tree();

  expect(landed()).toBe(false);
  expect(said).toContain("These files have conflicts:\n  src/written.ts\nThe merge is undone.");
  expect(project.tree()).toEqual(before);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(() => project.git("rev-parse", "--verify", "MERGE_HEAD")).toThrow();
});

test("a conflict in the results of an edit is resolved, unless the two sides have different schemas", () => {
  const file = "fixtures/edits/new-filter.txtar";
  const edit = (schema: string, touched: string): string =>
    `-- service.yaml --\n${schema}\n-- touched.txt --\n${touched}\n`;
  project.write({ [file]: edit("shop", "updated a.ts") });
  project.commit("an edit");
  for (const branch of ["one", "two"]) {
    project.git("switch", "--quiet", "--create", branch, "main");
    commitOn(branch, { [file]: edit("shop", `updated ${branch}.ts`) });
  }
  toMain("one");
  project.git("switch", "--quiet", "two");
  const make = (): void => project.write({ [file]: edit("shop", "updated one.ts") });
  expect(landed(make)).toBe(true);
  expect(read(file)).toBe(edit("shop", "updated one.ts"));

  for (const branch of ["main", "two"]) commitOn(branch, { [file]: edit(branch, "updated a.ts") });
  expect(landed(make)).toBe(false);
  expect(said).toContain(`These files have conflicts:\n  ${file}\nThe merge is undone.`);
});

test("a text that one side removed and the other changed is removed where nothing makes it", () => {
  branchWithRule("one", "2.txt", "A rule of one.\n");
  project.git("switch", "--quiet", "--create", "two", "main");
  rmSync(join(project.root, "fixtures/golden/many"), { recursive: true });
  project.commit("two");
  toMain("one");
  project.git("switch", "--quiet", "two");

  expect(landed()).toBe(true);
  expect(existsSync(join(project.root, "fixtures/golden/many"))).toBe(false);
  expect(read("fixtures/golden/few/expected/rules.txt")).toContain("A rule of one.\n");
});

test("texts that cannot be made leave the merge to be finished or aborted", () => {
  branchWithRule("one", "2.txt", "A rule of one.\n");
  branchWithRule("two", "3.txt", "A rule of two.\n");
  toMain("one");
  project.git("switch", "--quiet", "two");
  const fails = (): never => {
    throw new Error("no such rule");
  };

  expect(landed(fails)).toBe(false);
  expect(said).toMatch(/^no such rule\nThe generated texts could not be made\./);
  project.git("merge", "--abort");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("nothing is merged where there are changes, on the branch itself, or without the branch", () => {
  expect(landed()).toBe(false);
  expect(said).toContain("run it on the branch of a change, not on main");
  project.git("switch", "--quiet", "--create", "one");
  project.write({ "src/new.ts": "new\n" });
  expect(landed()).toBe(false);
  expect(said).toContain("commit these changes first.\n?? src/new.ts\n");
  project.commit("new");
  expect(() => land({ root: project.root, other: "nothing", accept, out: say })).toThrow(GitError);
});

/** A change as they are made here: a rule, the texts with it, and an entry of the changelog. */
function branchWithRule(branch: string, name: string, rule: string, make = accept): void {
  project.git("switch", "--quiet", "--create", branch, "main");
  project.write({ [`rules/${name}`]: rule, [`docs/changelog/${branch}.md`]: `- Added: ${rule}` });
  make();
  project.commit(branch);
}

function commitOn(branch: string, texts: Record<string, string>): void {
  project.git("switch", "--quiet", branch);
  project.write(texts);
  project.commit(branch);
}

function toMain(branch: string): void {
  project.git("switch", "--quiet", "main");
  project.git("merge", "--quiet", "--ff-only", branch);
}

function landed(make = accept): boolean {
  said = "";
  return land({ root: project.root, other: "main", accept: make, out: say });
}

function say(text: string): void {
  said += text;
}

/** Makes a page of all rules, and a text for each service. */
function accept(): void {
  const rules = Object.values(readTree(join(project.root, "rules"))).join("");
  project.write({ [PAGE]: rules });
  for (const name of readdirSync(join(project.root, "fixtures/golden"))) {
    const service = read(`fixtures/golden/${name}/service.yaml`);
    project.write({ [`fixtures/golden/${name}/expected/rules.txt`]: `${service}${rules}` });
  }
}

/** Makes a page with a count, which differs from both sides where each has a rule more. */
function withCount(): void {
  accept();
  const rules = read(PAGE);
  project.write({ [PAGE]: `${rules.trim().split("\n").length} rules\n\n${rules}` });
}

function read(path: string): string {
  return readFileSync(join(project.root, path), "utf8");
}
