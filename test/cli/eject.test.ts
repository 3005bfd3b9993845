import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { copyOf, generator, minimalProject, treeOf, type Run } from "./command-line.js";

const ARCHIVE = "vendor/rulebound-runtime-0.1.0.tgz";

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

async function eject(project: string, ...parameters: readonly string[]): Promise<Run> {
  return generator(["eject", "runtime", ...parameters], { cwd: project });
}

/** Texts of package.json by their keys. */
function packageOf(project: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as ReturnType<
    typeof packageOf
  >;
}

/** What `npm install` makes of a service with a runtime of its own: a link, beside the packages of this repository. */
function install(project: string): void {
  const modules = resolve("node_modules");
  const folder = join(project, "node_modules");
  mkdirSync(join(folder, "@rulebound"), { recursive: true });
  for (const name of readdirSync(modules).filter((one) => one !== "@rulebound")) {
    symlinkSync(join(modules, name), join(folder, name));
  }
  symlinkSync(join(project, "runtime"), join(folder, "@rulebound/runtime"));
}

test("the runtime is TypeScript of the service, which builds and passes its tests with it alone", async () => {
  const project = copyOf(made);
  const { exitCode, out } = await eject(project);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("generator eject runtime --undo")]);
  expect(packageOf(project)).toMatchObject({
    dependencies: { "@rulebound/runtime": "file:runtime" },
    scripts: { prepare: "tsc -p runtime" },
  });
  expect(existsSync(join(project, ARCHIVE))).toBe(false);
  install(project);
  // An edit shows what runs.
  appendFileSync(join(project, "runtime/doors/index.ts"), "export const isOwn = true;\n");
  writeFileSync(
    join(project, "test/custom/own.test.ts"),
    'import assert from "node:assert/strict";\nimport test from "node:test";\nimport { isOwn } from "@rulebound/runtime";\ntest("own", () => assert.ok(isOwn));\n',
  );
  const npm = (...parameters: readonly string[]): string =>
    execFileSync("npm", ["run", "-s", ...parameters], { cwd: project, encoding: "utf8" });
  npm("prepare");
  npm("build");
  expect(npm("test")).toMatch(/^# pass [1-9]\d*\n# fail 0$/m);
  expect((await generator(["check", project])).out).toContain("up to date");
});

test("what was ejected can be taken back, and nothing is left of it", async () => {
  const project = copyOf(made);
  const archive = readFileSync(join(project, ARCHIVE));
  await eject(project);
  mkdirSync(join(project, "runtime/dist/base"), { recursive: true });
  writeFileSync(join(project, "runtime/dist/base/errors.js"), "// compiled\n");
  expect(await eject(project, "--undo")).toMatchObject({ exitCode: 0 });
  expect(treeOf(project)).toEqual(treeOf(made));
  expect(existsSync(join(project, "runtime"))).toBe(false);
  expect(readFileSync(join(project, ARCHIVE)).equals(archive)).toBe(true);
});

test("the Dockerfile of a new service copies the folder; one that is different stays", async () => {
  const project = copyOf(made);
  await eject(project);
  const dockerfile = readFileSync(join(project, "Dockerfile"), "utf8");
  expect(dockerfile).toContain("COPY vendor ./vendor\nCOPY runtime ./runtime\nRUN npm ci\n");
  expect(dockerfile).toContain("/service/node_modules ./node_modules\nCOPY --from=build");
  const other = copyOf(made);
  writeFileSync(join(other, "Dockerfile"), "FROM scratch\n");
  await eject(other);
  expect(readFileSync(join(other, "Dockerfile"), "utf8")).toBe("FROM scratch\n");
});

test("a script of the user's own runs before the runtime is compiled, and stays as it was", async () => {
  const project = copyOf(made);
  const path = join(project, "package.json");
  const text = readFileSync(path, "utf8").replace(
    '"build":',
    () => '"prepare": "husky",\n    "build":',
  );
  writeFileSync(path, text);
  await eject(project);
  expect(packageOf(project)).toMatchObject({
    scripts: { prepare: "husky && tsc -p runtime" },
  });
  await eject(project, "--undo");
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a folder that was edited is not taken back, nor written over", async () => {
  const project = copyOf(made);
  await eject(project);
  appendFileSync(join(project, "runtime/base/errors.ts"), "// Ours.\n");
  writeFileSync(join(project, "runtime/own.ts"), "export {};\n");
  const before = treeOf(project);
  const undone = await eject(project, "--undo");
  expect(undone).toMatchObject({ exitCode: 2 });
  expect(undone.err).toContain("runtime/base/errors.ts, runtime/own.ts differ");
  const again = await eject(project);
  expect(again).toMatchObject({ exitCode: 2 });
  expect(again.err).toContain("--force writes this generator's files over it");
  expect(treeOf(project)).toEqual(before);
  rmSync(join(project, "runtime"), { recursive: true });
  expect(await eject(project, "--undo")).toMatchObject({ exitCode: 0 });
  expect(treeOf(project)).toEqual(treeOf(made));
});

test("an upgrade says how the folder comes to the newer generator, and --force brings it there", async () => {
  const project = copyOf(made);
  await eject(project);
  const before = treeOf(project);
  writeFileSync(join(project, "runtime/base/errors.ts"), "// As an older generator had it.\n");
  const { out } = await generator(["upgrade", project]);
  expect(out).toContain('"generator eject runtime --force" brings it to this generator');
  expect(await eject(project, "--force")).toMatchObject({ exitCode: 0 });
  expect(treeOf(project)).toEqual(before);
  // Once more, or after an end in the middle, there is nothing left to do.
  expect((await eject(project)).out).toContain("Nothing to do");
});

test("line ends of the folder are the user's, and so is the order of a script", async () => {
  const project = copyOf(made);
  const path = join(project, "package.json");
  const before = readFileSync(path, "utf8");
  await eject(project);
  const errors = join(project, "runtime/base/errors.ts");
  writeFileSync(errors, readFileSync(errors, "utf8").replaceAll("\n", "\r\n"));
  const text = readFileSync(path, "utf8").replace("tsc -p runtime", "tsc -p runtime && husky");
  writeFileSync(path, text);
  expect(await eject(project, "--undo")).toMatchObject({ exitCode: 0 });
  expect(packageOf(project)).toMatchObject({ scripts: { prepare: "husky" } });
  expect(JSON.parse(before)).toMatchObject({ dependencies: packageOf(project)["dependencies"] });
});

test.each([
  { name: "a link", make: (path: string) => symlinkSync("/tmp", path), want: "is not a folder" },
  { name: "a file", make: (path: string) => writeFileSync(path, ""), want: "is not a folder" },
])("$name called runtime is refused", async ({ make, want }) => {
  const project = copyOf(made);
  make(join(project, "runtime"));
  const { exitCode, err } = await eject(project);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(want)]);
  expect(packageOf(project)).toEqual(packageOf(made));
});

test("a Dockerfile is changed where both of its lines are known, or told about", async () => {
  const project = copyOf(made);
  const dockerfile = join(project, "Dockerfile");
  const text = readFileSync(dockerfile, "utf8").replace(
    "COPY vendor ./vendor",
    "COPY vendor vendor",
  );
  writeFileSync(dockerfile, text);
  const { out } = await eject(project);
  expect(readFileSync(dockerfile, "utf8")).toBe(text);
  expect(out).toContain("A Dockerfile of your own has to copy runtime/");
});

test("a package.json that is not JSON is told as such", async () => {
  const project = copyOf(made);
  writeFileSync(join(project, "package.json"), "{");
  const { exitCode, err } = await eject(project);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("package.json cannot be read")]);
});

test.each([
  { parameters: ["eject", "entity/hooks.ts"], want: "`header` of service.yaml" },
  { parameters: ["eject", "runtime", "--undo"], want: "there is nothing to take back" },
])("$parameters is refused, and says what to do", async ({ parameters, want }) => {
  const project = copyOf(made);
  const { exitCode, err } = await generator(parameters, { cwd: project });
  expect([exitCode, err]).toEqual([2, expect.stringContaining(want)]);
  expect(treeOf(project)).toEqual(treeOf(made));
});
