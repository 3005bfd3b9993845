import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  addProperty,
  changesOf,
  copyOf,
  generator,
  jsonOf,
  minimalProject,
  treeOf,
} from "./command-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const REGISTRY = "src/generated/services.ts";
let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

test("a generated file that was edited stops everything, until --force saves and replaces it", async () => {
  const project = copyOf(made);
  const generated = readFileSync(join(project, REGISTRY), "utf8");
  appendFileSync(join(project, REGISTRY), "// mine\n");
  addProperty(project);
  const before = treeOf(project, { times: true });
  const refused = await generator(["generate", project]);
  expect(refused).toMatchObject({ exitCode: 1, out: "" });
  expect(refused.err).toContain(`${REGISTRY}:1:1  error  OWN-1`);
  expect(treeOf(project, { times: true })).toEqual(before);
  expect((await generator(["check", project])).exitCode).toBe(1);
  const forced = await generator(["generate", project, "--force"]);
  expect(forced).toMatchObject({ exitCode: 0 });
  expect(forced.out).toContain(`${REGISTRY}.edited`);
  expect(readFileSync(join(project, `${REGISTRY}.edited`), "utf8")).toBe(`${generated}// mine\n`);
  expect(readFileSync(join(project, REGISTRY), "utf8")).toBe(generated);
});

test("an edit that keeps size and time of a file is seen", async () => {
  const project = copyOf(made);
  await generator(["generate", project]);
  const path = join(project, REGISTRY);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("Code", "Edoc"));
  utimesSync(path, new Date(0), new Date(0));
  await generator(["generate", project]);
  expect((await generator(["generate", project])).err).toContain("OWN-1");
});

test.each([
  {
    name: "conflicted",
    code: "OWN-8",
    change: (lock: string) => `<<<<<<< HEAD\n${lock}=======\n>>>>>>> other\n`,
  },
  // Within a hash: a path that is cut reads as the path of another file.
  {
    name: "cut",
    code: "OWN-2",
    change: (lock: string) => lock.slice(0, lock.lastIndexOf("\n", lock.length / 2) + 20),
  },
  {
    name: "outside",
    code: "OWN-10",
    change: (lock: string) => `${lock}${"0".repeat(64)}  ../../outside.ts\n`,
  },
  {
    name: "absolute",
    code: "OWN-10",
    change: (lock: string) => `${lock}${"0".repeat(64)}  /etc/passwd\n`,
  },
  { name: "empty", code: "OWN-9", change: () => "" },
])("a generator.lock that is $name stops everything", async ({ change, code }) => {
  const project = copyOf(made);
  const lock = join(project, "generator.lock");
  writeFileSync(lock, change(readFileSync(lock, "utf8")));
  addProperty(project);
  const before = treeOf(project, { times: true });
  const refused = await generator(["generate", project]);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain(`error  ${code}\n`);
  expect(treeOf(project, { times: true })).toEqual(before);
});

test("without generator.lock equal files are adopted, and others are somebody's", async () => {
  const project = copyOf(made);
  unlinkSync(join(project, "generator.lock"));
  expect(changesOf(await generator(["generate", project, "--json"]))).toEqual([
    "created generator.lock",
  ]);
  unlinkSync(join(project, "generator.lock"));
  addProperty(project);
  const before = treeOf(project, { times: true });
  const refused = jsonOf(await generator(["generate", project, "--json"]));
  expect(new Set(refused.diagnostics.map(({ code }) => code))).toEqual(new Set(["OWN-4"]));
  expect(treeOf(project, { times: true })).toEqual(before);
});

test("files of a newer generator are refused unless forced", async () => {
  const project = copyOf(made);
  const lock = join(project, "generator.lock");
  const text = readFileSync(lock, "utf8");
  writeFileSync(lock, text.replace(/^generator .*$/m, "generator 99.0.0"));
  expect((await generator(["generate", project])).err).toContain("OWN-7");
  expect(await generator(["generate", project, "--force"])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(lock, "utf8")).toBe(text);
});

test.each([
  {
    name: "a link",
    want: "OWN-3",
    replace: (path: string, outside: string) => symlinkSync(join(outside, "target"), path),
  },
  { name: "a folder", want: "OWN-6", replace: (path: string) => mkdirSync(path) },
  { name: "a pipe", want: "OWN-6", replace: (path: string) => execFileSync("mkfifo", [path]) },
])("$name where a generated file belongs is reported, and nothing is written", async (given) => {
  const project = copyOf(made);
  const outside = temporaryFolder();
  writeFileSync(join(outside, "target"), "precious\n");
  unlinkSync(join(project, REGISTRY));
  given.replace(join(project, REGISTRY), outside);
  addProperty(project);
  const before = treeOf(project, { times: true });
  const refused = await generator(["generate", project, "--force"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toContain(given.want);
  expect(treeOf(project, { times: true })).toEqual(before);
  expect(treeOf(outside)).toEqual({ target: "precious\n" });
});

test("a generated folder that links outside is refused, and a linked project is not", async () => {
  const project = copyOf(made);
  const outside = temporaryFolder();
  renameSync(join(project, "src/generated"), join(outside, "generated"));
  symlinkSync(join(outside, "generated"), join(project, "src/generated"));
  addProperty(project);
  const before = treeOf(outside, { times: true });
  expect((await generator(["generate", project])).err).toContain("OWN-3");
  expect(treeOf(outside, { times: true })).toEqual(before);
  symlinkSync(made, join(outside, "linked"));
  expect(await generator(["check", join(outside, "linked")])).toMatchObject({ exitCode: 0 });
});

test("check tells that another runtime is installed than the code is for", async () => {
  const project = copyOf(await minimalProject());
  const install = (version: string): void => {
    const folder = join(project, "node_modules/@rulebound/runtime");
    mkdirSync(folder, { recursive: true });
    const description = { name: "@rulebound/runtime", version };
    writeFileSync(join(folder, "package.json"), JSON.stringify(description, null, 2));
  };
  install("0.0.9");
  const { exitCode, err } = await generator(["check", project]);
  expect(exitCode).toBe(1);
  expect(err).toContain("node_modules/@rulebound/runtime/package.json:3");
  expect(err).toContain("OWN-14");
  expect(err).toContain('Run "npm install"');
  install("0.1.0");
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
});
