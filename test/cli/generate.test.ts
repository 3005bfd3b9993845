import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import {
  addProperty,
  addResource,
  changesOf,
  copyOf,
  generator,
  jsonOf,
  minimalProject,
  ownProcess,
  treeOf,
} from "./command-line.js";

let made = "";
beforeAll(async () => {
  made = await minimalProject();
});

test("a second run touches no file, and says that there is nothing to do", async () => {
  const project = copyOf(made);
  const before = treeOf(project, { times: true });
  for (let run = 1; run <= 3; run += 1) {
    expect(await generator(["generate"], { cwd: project })).toMatchObject({ exitCode: 0, err: "" });
  }
  expect(treeOf(project, { times: true })).toEqual(before);
  expect(await generator(["check"], { cwd: project })).toMatchObject({ exitCode: 0 });
});

test("what a dry run says is what happens, and it writes nothing", async () => {
  const project = copyOf(made);
  addProperty(project);
  addResource(project);
  const before = treeOf(project, { times: true });
  const dry = await generator(["generate", project, "--dry-run", "--json"]);
  expect(treeOf(project, { times: true })).toEqual(before);
  expect((await generator(["check", project])).exitCode).toBe(1);
  const real = await generator(["generate", project, "--json"]);
  expect(jsonOf(real)).toEqual({ ...jsonOf(dry), applied: true });
  const after = treeOf(project);
  const differing = Object.keys({ ...before, ...after }).filter((path) => {
    return after[path] === undefined || !before[path]?.startsWith(after[path]);
  });
  expect(changesOf(real).map((line) => line.split(" ")[1])).toEqual(differing.sort());
  expect((await generator(["check", project])).exitCode).toBe(0);
});

test("a property that was added touches files of its resource, the OpenAPI document and little else", async () => {
  const project = copyOf(made);
  await generator(["generate", project]);
  addProperty(project);
  const lines = changesOf(await generator(["generate", project, "--json"]));
  const others = lines.filter(
    (line) => !/notes|openapi|docs\/resources|migrations|generator\.lock/.test(line),
  );
  expect(others).toEqual([]);
  addProperty(project, "weight");
  const whole = copyOf(project);
  rmSync(join(whole, ".rulebound"), { recursive: true });
  await generator(["generate", project]);
  await generator(["generate", whole]);
  expect(treeOf(project), "with what was remembered, and without").toEqual(treeOf(whole));
});

test("a resource that was removed takes its generated files along, and leaves the user's", async () => {
  const project = copyOf(made);
  const before = treeOf(project);
  addResource(project);
  await generator(["generate", project]);
  appendFileSync(join(project, "src/custom/labels.ts"), "// mine\n");
  unlinkSync(join(project, "resources/v1/labels.yaml"));
  const run = await generator(["generate", project]);
  expect(run.out).toContain("kept  src/custom/labels.ts  It is yours");
  const custom = readFileSync(join(project, "src/custom/labels.ts"), "latin1");
  // Its table stays, and so do the migrations that made it.
  const withoutMigrations = (tree: Readonly<Record<string, string>>): object =>
    Object.fromEntries(
      Object.entries(tree)
        .filter(([path]) => !path.startsWith("migrations/"))
        .map(([path, text]) => [path, text.replace(/^.*migrations.*\n/gm, "")]),
    );
  expect(withoutMigrations(treeOf(project))).toEqual(
    withoutMigrations({ ...before, "src/custom/labels.ts": custom }),
  );
  expect(existsSync(join(project, "src/generated/v1/labels"))).toBe(false);
});

test("a checkout with CRLF is up to date and is not rewritten", async () => {
  const project = copyOf(made);
  for (const [path, text] of Object.entries(treeOf(project))) {
    writeFileSync(join(project, path), text.replaceAll("\n", "\r\n"), "latin1");
  }
  const before = treeOf(project, { times: true });
  expect(await generator(["check", project])).toMatchObject({ exitCode: 0 });
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
  expect(treeOf(project, { times: true })).toEqual(before);
});

test.skipIf(process.getuid?.() === 0)(
  "a folder that can not be written is exit code 2",
  async () => {
    const project = copyOf(made);
    rmSync(join(project, ".rulebound"), { recursive: true });
    chmodSync(project, 0o555);
    expect(await generator(["generate", project])).toMatchObject({ exitCode: 0 });
    addProperty(project);
    const refused = await generator(["generate", project]);
    expect(refused.exitCode).toBe(2);
    expect(refused.err).toMatch(/^generator: EACCES.*\nNo file .* changed\.\n$/);
    chmodSync(project, 0o755);
  },
);

test("a file where the generator keeps its own is a clear line and exit code 2", async () => {
  const project = copyOf(made);
  addProperty(project);
  rmSync(join(project, ".rulebound"), { recursive: true });
  writeFileSync(join(project, ".rulebound"), "");
  const before = treeOf(project, { times: true });
  const refused = await generator(["generate", project]);
  expect(refused.exitCode).toBe(2);
  expect(refused.err).toMatch(
    /^generator: .*\.rulebound is not a directory\nNo file .* changed\.\n$/,
  );
  expect(treeOf(project, { times: true })).toEqual(before);
});

test("eight runs at once end in one whole tree", async () => {
  const project = copyOf(made);
  addProperty(project);
  addResource(project);
  const runs = await Promise.all(
    Array.from({ length: 8 }, () => ownProcess(["generate", project])),
  );
  expect(runs.map(({ exitCode, err }) => `${exitCode}${err}`)).toEqual(Array(8).fill("0"));
  const alone = copyOf(made);
  addProperty(alone);
  addResource(alone);
  await generator(["generate", alone]);
  expect(treeOf(project)).toEqual(treeOf(alone));
}, 60_000);

test("a run that is killed at any time is made good by the next one", async () => {
  const old = copyOf(made);
  addProperty(old);
  addResource(old);
  const want = copyOf(old);
  await generator(["generate", want]);
  for (let trial = 0; trial < 12; trial += 1) {
    const project = copyOf(old);
    await killedAfter(90 + trial * 15, project);
    expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
    expect(treeOf(project)).toEqual(treeOf(want));
  }
}, 60_000);

function killedAfter(milliseconds: number, project: string): Promise<void> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [resolve("bin/generator.js"), "generate", project]);
    const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
    child.on("exit", () => {
      clearTimeout(timer);
      done();
    });
  });
}

test.each(["", "garbage", "{}"])("the memory %j is ignored", async (text) => {
  const project = copyOf(made);
  mkdirSync(join(project, ".rulebound"), { recursive: true });
  for (const name of ["state.json", "details.json"]) {
    writeFileSync(join(project, ".rulebound", name), text);
  }
  expect(await generator(["generate", project])).toMatchObject({ exitCode: 0, err: "" });
});

test("a mistake in the YAML is shown in its line, and nothing is written", async () => {
  const project = copyOf(made);
  addProperty(project, "Colour_Of_it");
  const before = treeOf(project, { times: true });
  const refused = await generator(["generate", project]);
  expect(refused.exitCode).toBe(1);
  expect(refused.err).toMatch(
    /notes\.yaml:\d+:3 {2}error {2}NAM-2\n +\d+ \| {3}Colour_Of_it: string\n/,
  );
  expect(refused.err).toMatch(/\n {6}\| {3}\^{12}\n/);
  expect(refused.err).toMatch(
    /generator explain [A-Z]+-\d+\n\n1 error\. "generator validate --fix" [^\n]+\nNothing was written\.\n$/,
  );
  expect(treeOf(project, { times: true })).toEqual(before);
  expect((await generator(["validate", project])).exitCode).toBe(1);
});

test("a new schema without the line that editors look for is told of it, once", async () => {
  const project = await minimalProject();
  addResource(project);
  const first = await generator(["generate", project]);
  expect(first.out).toContain(
    "put this line at the top of resources/v1/labels.yaml:\n# yaml-language-server: $schema=../../node_modules/@rulebound/",
  );
  addProperty(project);
  expect((await generator(["generate", project])).out).not.toContain("yaml-language-server");
});
