import { resolve } from "node:path";
import { expect, test } from "vitest";
import { changesAnything } from "../../src/apply/change.js";
import { check } from "../../src/commands/check.js";
import { generate } from "../../src/commands/generate.js";
import { hmacSha256, sha256 } from "../../src/files/hash.js";
import { codesOf, MemoryProject } from "../support/memory-project.js";
import { readTree } from "../support/read-tree.js";
import { expectSuccess } from "../support/expect-success.js";

const MINIMAL = Object.fromEntries(
  Object.entries(readTree(resolve("templates/examples/minimal"))).filter(([path]) =>
    path.endsWith(".yaml"),
  ),
);
const DETAILS = ".rulebound/details.json";
const STATE = ".rulebound/state.json";
const ROOT = "/project";
const RIGHT = Buffer.alloc(32, "key");
const OTHER = Buffer.alloc(32, "other");

async function generated(): Promise<MemoryProject> {
  const project = new MemoryProject(MINIMAL);
  expectSuccess(await project.generate());
  return project;
}

function bodyOf(text: string): string {
  return text.slice(text.indexOf("\n") + 1);
}

/** A property that no YAML has, in what the cache says of it; any edit makes a run ask. */
function forge(project: MemoryProject, seal: (body: string) => string): void {
  const body = bodyOf(project.read(DETAILS));
  const forged = body.replace('"done":{', '"forged":{"type":"string"},"done":{');
  expect(forged).not.toBe(body);
  project.write(DETAILS, `${seal(forged)}\n${forged}`);
  project.write("service.yaml", project.read("service.yaml").replace("Minimal", "Other"));
}

function isForged(project: MemoryProject): boolean {
  const texts = Object.entries(project.tree()).filter(([path]) => /^\/project\/src/.test(path));
  return texts.some(([, text]) => text.includes("forged"));
}

const seal = (key: Buffer, root: string, name: string) => (body: string) =>
  hmacSha256(key, `${root}\0${name}\0${body}`);

test("a forged cache with the right key decides what is generated, and check finds it", async () => {
  const project = await generated();
  forge(project, seal(RIGHT, ROOT, "details.json"));
  expectSuccess(await project.generate());
  expect(isForged(project)).toBe(true);
  const idle = expectSuccess(await project.generate());
  expect(changesAnything(idle)).toBe(false);
  // The column that no YAML asks for is not taken away without a word.
  expect(codesOf(await check(project.env))).toEqual(["SCH-144"]);
});

test.each([
  ["its SHA-256", sha256],
  ["the seal of another key", seal(OTHER, ROOT, "details.json")],
  ["the seal of another project", seal(RIGHT, "/elsewhere", "details.json")],
  ["the seal of the other file", seal(RIGHT, ROOT, "state.json")],
  ["no seal", () => ""],
])("a forged cache with %s decides nothing", async (_, forgedSeal) => {
  const project = await generated();
  forge(project, forgedSeal);
  expectSuccess(await project.generate());
  expect(isForged(project)).toBe(false);
  expect(changesAnything(expectSuccess(await check(project.env)))).toBe(false);
});

test("without a key nothing is read and nothing remembered, and no word is said of it", async () => {
  const project = await generated();
  forge(project, seal(RIGHT, ROOT, "details.json"));
  const before = [project.read(DETAILS), project.read(STATE)];
  for (const cacheKey of [undefined, () => null]) {
    const { cacheKey: _, ...keyless } = project.env;
    const env = cacheKey === undefined ? keyless : { ...keyless, cacheKey };
    const { diagnostics } = await generate(env, { dryRun: false, force: false });
    expect(diagnostics).toEqual([]);
  }
  expect(isForged(project)).toBe(false);
  expect([project.read(DETAILS), project.read(STATE)]).toEqual(before);
});

test("the cache of another project of the same user is not read", async () => {
  const [copied, project] = [await generated(), new MemoryProject({})];
  for (const [path, text] of Object.entries(copied.files.snapshot())) {
    project.write(path.replace(ROOT, "copy"), text);
  }
  const env = { ...project.env, root: `${ROOT}/copy` };
  const text = project.read(`copy/${STATE}`);
  expectSuccess(await generate(env, { dryRun: false, force: false }));
  const seals = [text, project.read(`copy/${STATE}`)].map((one) => one.split("\n")[0]);
  expect(new Set(seals).size).toBe(2);
});

test("check reads nothing of what is remembered", async () => {
  const project = await generated();
  const read: string[] = [];
  const files = new Proxy(project.files, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        if (/^read/.test(String(name))) read.push(String(given[0]));
        return Reflect.apply(value, target, given);
      };
    },
  });
  expectSuccess(await check({ ...project.env, files }));
  expect(read.length).toBeGreaterThan(10);
  expect(read.filter((path) => path.includes(".rulebound"))).toEqual([]);
});

test.each(["details.json.draft", "state.json.draft", "journal.draft", "journal", "stage", "lock"])(
  "nothing is written through a link at .rulebound/%s",
  async (name) => {
    const project = new MemoryProject(MINIMAL);
    project.files.makeDirectory("/outside");
    project.files.writeFile("/outside/precious", "precious\n");
    project.files.link(`${ROOT}/.rulebound/${name}`, "/outside/precious");
    expect(codesOf(await project.generate())).toEqual(name === "journal" ? ["OWN-15"] : []);
    expect(project.files.readText("/outside/precious")).toBe("precious\n");
    expect(project.has(STATE)).toBe(true);
  },
);

test("a forged journal is warned of, and the command goes on", async () => {
  const project = await generated();
  project.files.makeDirectory("/outside");
  project.files.writeFile("/outside/unknown.txt", "secret\n");
  const path = "resources/v1/notes.yaml";
  const done = { path, staged: "0", before: null, after: sha256(project.read(path)) };
  const stolen = {
    path: "docs/notes.md",
    staged: "../../../outside/unknown.txt",
    before: null,
    after: sha256("secret\n"),
  };
  const body = JSON.stringify({ writes: [done, stolen], removals: [] });
  project.write(".rulebound/journal", `${sha256(body)}\n${body}\n`);
  const outcome = await project.generate();
  expect(codesOf(outcome)).toEqual(["OWN-15"]);
  expect(changesAnything(expectSuccess(outcome))).toBe(false);
  expect(project.has("docs/notes.md")).toBe(false);
  expect(project.files.readText("/outside/unknown.txt")).toBe("secret\n");
});

test("a command is refused where version control has what is remembered", async () => {
  const project = await generated();
  const tracked = {
    ...project.env,
    isTracked: (folder: string) => Promise.resolve(folder === ".rulebound"),
  };
  const before = project.files.snapshot();
  expect(codesOf(await generate(tracked, { dryRun: false, force: false }))).toEqual(["OWN-16"]);
  expect(codesOf(await check(tracked))).toEqual(["OWN-16"]);
  expect(project.files.snapshot()).toEqual(before);
  const untracked = { ...project.env, isTracked: () => Promise.resolve(false) };
  expect(codesOf(await check(untracked))).toEqual([]);
});
