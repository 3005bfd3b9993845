import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
  "a split index of version 4": ["core.splitIndex true", "index.version 4"],
  "an index in blocks": ["index.version 4", "index.threads 2"],
};

test.each(Object.entries(FORMS))("%s tells what git tracks", (_, configured) => {
  const without = repository(OTHERS, ...configured);
  const tracking = repository([...OTHERS, ".rulebound/state.json"], ...configured);
  expect(isTracked(without, ".rulebound")).toBe(false);
  expect(isTracked(join(without, "zebra"), ".rulebound")).toBe(true);
  expect(isTracked(join(without, "src"), ".rulebound")).toBe(false);
  expect(isTracked(tracking, ".rulebound")).toBe(true);
  // Entries with more flags have another length.
  git(tracking, "update-index", "--skip-worktree", ".rulebound/state.json");
  expect(isTracked(tracking, ".rulebound")).toBe(true);
  git(tracking, "update-index", "--no-skip-worktree", ".rulebound/state.json");
  git(tracking, "rm", "-r", "--quiet", "--cached", ".rulebound");
  expect(isTracked(tracking, ".rulebound")).toBe(false);
});

test.each(Object.entries(FORMS))("each path of %s is read", (_, configured) => {
  const files = Array.from({ length: 300 }, (_, at) => `src/${at % 7}/${"n".repeat(at)}${at}.ts`);
  const folder = repository(
    files.map((path) => path.replace(/n{9,}/, "é")).concat(OTHERS),
    ...configured,
  );
  const removed = (at: number): boolean => at % 3 === 0 || (at > 100 && at < 230);
  const tracked = git(folder, "ls-files", "-z").split("\0").filter(Boolean);
  for (const path of tracked.filter((_path, at) => removed(at))) {
    git(folder, "update-index", "--force-remove", path);
  }
  writeFileSync(join(folder, "src/app.ts"), "another text\n");
  git(folder, "add", "src/app.ts");
  const left = git(folder, "ls-files", "-z").split("\0").filter(Boolean);
  expect(tracked.filter((path) => isTracked(folder, path))).toEqual(left);
});

function tracking(): string {
  return repository(["app.ts", ".rulebound/journal"]);
}

/** Adds an entry that no file is behind. */
function addEntry(folder: string, mode: string, path: string): void {
  const isCommit = mode === "160000";
  const object = isCommit ? git(folder, "rev-parse", "HEAD") : git(folder, "hash-object", "app.ts");
  git(folder, "update-index", "--add", "--cacheinfo", `${mode},${object.trim()},${path}`);
}

function withEntry(mode: string, path: string): string {
  const folder = repository(["app.ts"]);
  addEntry(folder, mode, path);
  return folder;
}

/** What else can bring the folder, each with the folder of the project. */
const BRINGS: Readonly<Record<string, () => string>> = {
  "a submodule": () => withEntry("160000", ".rulebound"),
  "a link": () => withEntry("120000", ".rulebound"),
  "a path of any length": () => withEntry("100644", LONG),
  "a name in capitals": () => withEntry("100644", ".RuleBound/journal"),
  "a folder in capitals": () => join(withEntry("100644", "API/.rulebound/journal"), "api"),
  "a folder with composed letters": () =>
    join(withEntry("100644", "caf\u00e9/.rulebound/journal"), "cafe\u0301"),
  "a repository in its place": () => {
    const folder = repository(["app.ts"]);
    git(folder, "init", "--quiet", ".rulebound");
    return folder;
  },
  "a repository around the one of the project": () => {
    const folder = repository(["app.ts", "api/.rulebound/journal"]);
    git(folder, "init", "--quiet", "api");
    return join(folder, "api");
  },
  "a repository that a link leads to": () => {
    const folder = tracking();
    const moved = join(temporaryFolder(), "moved");
    renameSync(join(folder, ".git"), moved);
    symlinkSync(moved, join(folder, ".git"));
    return folder;
  },
  "a repository that a file names": () => {
    const folder = tracking();
    git(folder, "init", "--quiet", "--separate-git-dir", join(temporaryFolder(), "moved"));
    return folder;
  },
  "a repository that a link to such a file names": () => {
    const folder = tracking();
    git(folder, "init", "--quiet", "--separate-git-dir", join(temporaryFolder(), "moved"));
    const moved = join(temporaryFolder(), "file");
    renameSync(join(folder, ".git"), moved);
    symlinkSync(moved, join(folder, ".git"));
    return folder;
  },
  "an index that is a link": () => {
    const folder = tracking();
    const moved = join(temporaryFolder(), "index");
    renameSync(join(folder, ".git/index"), moved);
    symlinkSync(moved, join(folder, ".git/index"));
    return folder;
  },
  "a repository of another user": () => {
    const folder = repository(["app.ts", ".rulebound/journal"], "index.version 4");
    if (process.getuid?.() === 0) execFileSync("chown", ["-R", "12345:12345", folder]);
    return folder;
  },
  "a repository with longer hashes": () => {
    const folder = temporaryFolder();
    git(folder, "init", "--quiet", "--object-format=sha256");
    mkdirSync(join(folder, ".rulebound"));
    writeFileSync(join(folder, ".rulebound/journal"), "text\n");
    git(folder, "add", ".");
    return folder;
  },
  "a merge that is not done": () => {
    const folder = tracking();
    git(folder, "switch", "--quiet", "--create", "other");
    writeFileSync(join(folder, ".rulebound/journal"), "another\n");
    git(folder, "commit", "--quiet", "--all", "--message", "another");
    git(folder, "switch", "--quiet", "-");
    git(folder, "rm", "-r", "--quiet", ".rulebound");
    git(folder, "commit", "--quiet", "--message", "gone");
    expect(() => git(folder, "merge", "other")).toThrow();
    expect(git(folder, "ls-files", "--unmerged")).toContain(".rulebound/journal");
    return folder;
  },
  "a folder that the index lists as a whole": () => {
    const folder = repository(["app.ts", "api/.rulebound/journal"]);
    git(folder, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
    expect(git(folder, "ls-files", "--sparse")).toBe("api/\napp.ts\n");
    return join(folder, "api");
  },
};

test.each(Object.entries(BRINGS))("%s counts as tracked", (_, bring) => {
  expect(isTracked(bring(), ".rulebound")).toBe(true);
});

test("a repository that the environment names is read too", () => {
  const folder = tracking();
  const moved = join(temporaryFolder(), "moved");
  renameSync(join(folder, ".git"), moved);
  const named = { GIT_DIR: moved, GIT_WORK_TREE: folder };
  expect(isTracked(folder, ".rulebound", {})).toBe(false);
  expect(isTracked(folder, ".rulebound", named)).toBe(true);
  expect(isTracked(join(folder, "src"), ".rulebound", named)).toBe(false);
  expect(isTracked(folder, ".rulebound", { GIT_DIR: join(moved, "none") })).toBe(false);
});

test("nothing that a repository configures is run", () => {
  const folder = repository(["app.ts"], "index.version 4");
  const ran = join(folder, "ran");
  git(folder, "config", "core.fsmonitor", `touch '${ran}' #`);
  expect(isTracked(folder, ".rulebound")).toBe(false);
  expect(existsSync(ran)).toBe(false);
});

test("a worktree has an index of its own, and a folder without git none", () => {
  const main = repository([".rulebound/state.json", "app.ts"]);
  const tree = join(temporaryFolder(), "tree");
  git(main, "worktree", "add", "--quiet", tree);
  expect(isTracked(tree, ".rulebound")).toBe(true);
  git(tree, "rm", "-r", "--quiet", "--cached", ".rulebound");
  expect(isTracked(tree, ".rulebound")).toBe(false);
  expect(isTracked(main, ".rulebound")).toBe(true);
  expect(isTracked(temporaryFolder(), ".rulebound")).toBe(false);
});

/** What is at `.git` without being a repository, which git looks past or fails on. */
const NO_REPOSITORIES: Readonly<Record<string, (path: string) => void>> = {
  "an empty folder": (path) => mkdirSync(path),
  "an empty file": (path) => writeFileSync(path, ""),
  "a file that names what is not there": (path) => writeFileSync(path, "gitdir: ../gone\n"),
  "a file that names a file": (path) => writeFileSync(path, `gitdir: ${path}\n`),
  "a link in a circle": (path) => symlinkSync(path, path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
};

test.each(Object.entries(NO_REPOSITORIES))("%s stops nothing", (_, make) => {
  const folder = temporaryFolder();
  make(join(folder, ".git"));
  expect(isTracked(folder, ".rulebound")).toBe(false);
});

/** Bytes that are not an index, made from those of one. */
const DAMAGES: Readonly<Record<string, (index: Buffer) => Buffer>> = {
  "no bytes at all": () => Buffer.alloc(0),
  "half a header": (index) => index.subarray(0, 10),
  "only a header": (index) => index.subarray(0, 12),
  "an entry that ends early": (index) => index.subarray(0, 40),
  "a missing end": (index) => index.subarray(0, -1),
  "one byte more": (index) => Buffer.concat([index, Buffer.alloc(1)]),
  "only zeros": () => Buffer.alloc(64),
  "another text": () => Buffer.from(".rulebound/"),
  "a later version": (index) => withNumber(index, 4, 5),
  "too many entries": (index) => withNumber(index, 8, 2 ** 32 - 1),
  "too few entries": (index) => withNumber(index, 8, 0),
};

function withNumber(index: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(index);
  changed.writeUInt32BE(value, at);
  return changed;
}

test.each(Object.entries(DAMAGES))(
  "an index with %s counts as one with the folder",
  (_, damage) => {
    for (const configured of ["index.version 2", "index.version 4"]) {
      const folder = repository(["app.ts"], configured);
      const index = join(folder, ".git/index");
      writeFileSync(index, damage(readFileSync(index)));
      expect(isTracked(folder, ".rulebound")).toBe(true);
    }
  },
);

test("a split index whose other part is missing or damaged counts as one with the folder", () => {
  const folder = repository(["app.ts"], "core.splitIndex true");
  const [name = ""] = readdirSync(join(folder, ".git")).filter((one) => one.startsWith("shared"));
  const shared = join(folder, ".git", name);
  writeFileSync(shared, readFileSync(shared).subarray(0, 30));
  expect(isTracked(folder, ".rulebound")).toBe(true);
  rmSync(shared);
  expect(isTracked(folder, ".rulebound")).toBe(true);
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
