import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  addProperty,
  addResource,
  copyOf,
  generator,
  minimalProject,
  treeOf,
} from "./command-line.js";

const LABELS = "resources/v1/labels.yaml";
let made = "";
beforeAll(async () => {
  made = await minimalProject();
  addResource(made);
  await generator(["generate", made]);
  git(made, "init", "--initial-branch=main");
  commit(made, "start");
});

test("branches that edit different resources merge without a conflict, and generating ends as one edit of both would", async () => {
  const project = copyOf(made);
  await branch(project, "notes", () => addProperty(project));
  await branch(project, "labels", () => addLabelProperty(project));
  git(project, "merge", "--no-edit", "notes");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });

  const direct = copyOf(made);
  addProperty(direct);
  addLabelProperty(direct);
  await generator(["generate", direct]);
  expect(generatedTree(project)).toEqual(generatedTree(direct));
  // Each branch has made a migration of its own, and what they lead to needs no other one.
  expect(migrationsOf(project)).toEqual(["0003-add-labels-rank", "0003-add-notes-colour"]);
});

test("a generated file that somebody edited in one branch is still a conflict after the merge", async () => {
  const project = copyOf(made);
  const path = join(project, "src/generated/entities/notes/notes.entity.ts");
  await branch(project, "edited", () =>
    writeFileSync(path, `${readFileSync(path, "utf8")}// mine\n`),
  );
  await branch(project, "labels", () => addLabelProperty(project));
  git(project, "merge", "--no-edit", "edited");
  expect((await generator(["generate", project])).err).toContain(
    "notes.entity.ts:1:1  error  OWN-1",
  );
});

const NOTES = "resources/v1/notes.yaml";
/** What git leaves as it is where both branches have changed it: lines of both, or one side that somebody took. */
const TAKEN = ["markers", "ours", "theirs"] as const;
const WAYS = [
  { way: "merge", run: ["merge", "one"], on: "other", next: ["commit", "--no-edit"] },
  { way: "rebase", run: ["rebase", "one"], on: "other", next: ["rebase", "--continue"] },
  {
    way: "cherry-pick",
    run: ["cherry-pick", "one"],
    on: "other",
    next: ["cherry-pick", "--continue"],
  },
] as const;
/** Properties that two branches add, whose lines in contract/ are next to each other or apart. */
const ADDED = [
  { lines: "the same lines", one: "colour: string", other: "comment: string" },
  {
    lines: "other lines",
    one: "abbreviation: string",
    other: "zone: { type: string, maxLength: 10 }",
  },
] as const;

test.each(
  ADDED.flatMap((added) => [added, { ...added, one: added.other, other: added.one }]).flatMap(
    (added) => WAYS.flatMap((way) => TAKEN.map((taken) => ({ ...added, ...way, taken }))),
  ),
)(
  "$way of two edits of a published resource ($one, $other; $taken) needs no hand in contract/ or generator.lock",
  async ({ one, other, run, on, next, taken }) => {
    const { project, write } = await published();
    await branch(project, "one", () => write(one));
    await branch(project, "other", () => write(other));
    git(project, "checkout", "-q", on);
    expect(() => git(project, ...run)).toThrow();
    // The YAML comes first.
    expect((await generator(["generate", project])).err).toContain("SCH-434");
    if (taken !== "markers")
      git(project, "checkout", `--${taken}`, "--", "contract", "generator.lock");
    write(one, other);
    expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
    git(project, "add", "--all");
    git(project, "-c", "core.editor=true", ...next);
    expect(await generator(["check", project])).toMatchObject({ exitCode: 0, err: "" });

    const direct = copyOf(made);
    await generator(["publish", "v1"], { cwd: direct });
    writeFileSync(join(direct, NOTES), readFileSync(join(project, NOTES)));
    await generator(["generate", direct]);
    expect(generatedTree(project)).toEqual(generatedTree(direct));
  },
);

test.each(["markers", "ours", "theirs"] as const)(
  "what one branch has promised cannot get lost in a merge (%s)",
  async (taken) => {
    const { project, write } = await published();
    await branch(project, "one", () => write("colour: string"));
    await branch(project, "other", () => write("comment: string"));
    expect(() => git(project, "merge", "one")).toThrow();
    if (taken !== "markers") git(project, "checkout", `--${taken}`, "--", "contract");
    for (const [kept, lost] of [
      ["colour", "comment"],
      ["comment", "colour"],
    ] as const) {
      write(`${kept}: string`);
      const { exitCode, err } = await generator(["generate", project]);
      expect(exitCode).toBe(1);
      expect(err).toContain("VER-3");
      expect(err.replace(/\s+/g, " ")).toContain(`\`${lost}\` is gone`);
    }
  },
);

test("a merge that was committed with one side of all files keeps what the other has promised", async () => {
  const { project, write } = await published();
  await branch(project, "one", () => write("colour: string"));
  await branch(project, "other", () => write("comment: string"));
  git(project, "merge", "-q", "-s", "ours", "-m", "merged", "one");
  expect((await generator(["check", project])).err).toContain("VER-3");
  write("colour: string", "comment: string");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
});

/** A project whose v1 is published, and what gives a resource properties besides those that it has. */
async function published() {
  const project = copyOf(made);
  await generator(["publish", "v1"], { cwd: project });
  commit(project, "published");
  const start = readFileSync(join(project, NOTES), "utf8");
  const write = (...lines: readonly string[]): void =>
    writeFileSync(join(project, NOTES), start + lines.map((line) => `  ${line}\n`).join(""));
  return { project, write };
}

/** Commits an edit and what is generated from it on a branch of its own, off main. */
async function branch(project: string, name: string, edit: () => void): Promise<void> {
  git(project, "checkout", "-q", "-b", name, "main");
  edit();
  await generator(["generate", project]);
  commit(project, name);
}

function addLabelProperty(project: string): void {
  const yaml = readFileSync(join(project, LABELS), "utf8");
  writeFileSync(join(project, LABELS), `${yaml}  rank: integer\n`);
}

/** Without migrations and what the lock says of them, which tell of the branches. */
function generatedTree(project: string): Record<string, string> {
  const files = Object.entries(treeOf(project)).filter(
    ([path]) => !/^(?:\.git|migrations)\//.test(path),
  );
  return Object.fromEntries(
    files.map(([path, text]) => [path, text.replace(/^.* migrations\/.*\n/gm, "")]),
  );
}

function migrationsOf(project: string): readonly string[] {
  const names = Object.keys(treeOf(project)).flatMap(
    (path) => /^migrations\/(0003[^/]*)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

function commit(project: string, message: string): void {
  git(project, "add", "--all");
  git(project, "commit", "-q", "-m", message);
}

function git(project: string, ...parameters: string[]): void {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  execFileSync("git", [...identity, ...parameters], { cwd: project, stdio: "pipe" });
}
