import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isTracked } from "../../src/cli/tracked-by-git.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { copyOf, generator, minimalProject, ownProcess, treeOf } from "./command-line.js";

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

function git(cwd: string, ...parameters: readonly string[]): string {
  const user = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...user, ...parameters], { cwd, encoding: "utf8", stdio: "pipe" });
}

/** A repository that tracks these files. */
function repository(paths: readonly string[], ...configured: readonly string[]): string {
  const folder = temporaryFolder();
  git(folder, "init", "--quiet");
  for (const setting of configured) git(folder, "config", ...setting.split(" "));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "text\n");
  }
  git(folder, "add", "--force", ".");
  git(folder, "commit", "--quiet", "--message", "all");
  return folder;
}

const OTHERS = [".gitignore", ".rulebooks", "src/app.ts", "zebra/.rulebound/state.json"];
const LONG = `.rulebound/${"deep/".repeat(900)}state.json`.slice(0, 4_000);

const FORMS: Readonly<Record<string, readonly string[]>> = {
  "an index of version 2 or 3": ["index.version 2"],
  "an index of version 4": ["index.version 4"],
  "a split index": ["core.splitIndex true"],
};

test.each(Object.entries(FORMS))("%s tells what git tracks", async (_, configured) => {
  const without = repository(OTHERS, ...configured);
  const tracking = repository([...OTHERS, ".rulebound/state.json"], ...configured);
  expect(await isTracked(without, ".rulebound")).toBe(false);
  expect(await isTracked(join(without, "zebra"), ".rulebound")).toBe(true);
  expect(await isTracked(join(without, "src"), ".rulebound")).toBe(false);
  expect(await isTracked(tracking, ".rulebound")).toBe(true);
  // Entries with more flags have another length.
  git(tracking, "update-index", "--skip-worktree", ".rulebound/state.json");
  expect(await isTracked(tracking, ".rulebound")).toBe(true);
  git(tracking, "update-index", "--no-skip-worktree", ".rulebound/state.json");
  git(tracking, "rm", "-r", "--quiet", "--cached", ".rulebound");
  expect(await isTracked(tracking, ".rulebound")).toBe(false);
});

test("a worktree has an index of its own, and a folder without git none", async () => {
  const main = repository([".rulebound/state.json", "app.ts"]);
  const tree = join(temporaryFolder(), "tree");
  git(main, "worktree", "add", "--quiet", tree);
  expect(await isTracked(tree, ".rulebound")).toBe(true);
  git(tree, "rm", "-r", "--quiet", "--cached", ".rulebound");
  expect(await isTracked(tree, ".rulebound")).toBe(false);
  expect(await isTracked(main, ".rulebound")).toBe(true);
  expect(await isTracked(temporaryFolder(), ".rulebound")).toBe(false);
});

test.each(["", "DIRC", "DIRC\0\0\0\x02\0\0", "\0".repeat(64), ".rulebound/"])(
  "the damaged index %j stops nothing",
  async (text) => {
    const folder = repository(["app.ts"]);
    writeFileSync(join(folder, ".git/index"), text);
    expect(await isTracked(folder, ".rulebound")).toBe(false);
  },
);

test("paths of any length are found", async () => {
  const folder = repository(["app.ts"]);
  const object = git(folder, "hash-object", "app.ts").trim();
  git(folder, "update-index", "--add", "--cacheinfo", `100644,${object},${LONG}`);
  expect(await isTracked(folder, ".rulebound")).toBe(true);
});

test("generate and check refuse what is tracked, and the command that they name mends it", async () => {
  const project = copyOf(made);
  git(project, "init", "--quiet");
  git(project, "add", "--force", ".");
  const before = treeOf(project, { times: true });
  for (const command of ["generate", "check"]) {
    const refused = await generator([command, project]);
    expect(refused.exitCode).toBe(1);
    expect(refused.err).toContain("OWN-16");
    expect(refused.err).toContain("git rm -r --cached .rulebound");
  }
  expect(treeOf(project, { times: true })).toEqual(before);
  git(project, "rm", "-r", "--quiet", "--cached", ".rulebound");
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0, err: "" });
});

test("of runs that make the key at once, one makes it, and all use it", async () => {
  const home = temporaryFolder();
  const projects = Array.from({ length: 6 }, () => copyOf(made));
  const env = { XDG_CACHE_HOME: home };
  const runs = await Promise.all(
    projects.map((project) => ownProcess(["generate", project], { env })),
  );
  expect(runs.map(({ exitCode, err }) => `${exitCode}${err}`)).toEqual(Array(6).fill("0"));
  expect(readdirSync(join(home, "rulebound"))).toEqual(["cache.key"]);
  const states = projects.map((project) => join(project, ".rulebound/state.json"));
  const before = states.map((state) => readFileSync(state, "utf8"));
  // A state that is not accepted would be written again.
  for (const project of projects) await ownProcess(["generate", project], { env });
  expect(states.map((state) => readFileSync(state, "utf8"))).toEqual(before);
}, 60_000);

test("without a home that can be written to, a run says and remembers nothing", async () => {
  const project = copyOf(made);
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const state = (): string => readFileSync(join(project, ".rulebound/state.json"), "utf8");
  const before = state();
  for (const XDG_CACHE_HOME of [file, join(project, ".cache")]) {
    const run = await ownProcess(["generate", project], { env: { XDG_CACHE_HOME } });
    expect(run).toMatchObject({ exitCode: 0, err: "" });
  }
  expect(state()).toBe(before);
  expect(treeOf(project)).toEqual(treeOf(made));
});
