import { resolve } from "node:path";
import { expect, test } from "vitest";
import { exampleFiles, exampleNames } from "../../src/commands/example-files.js";
import { expectedFolder, GOLDEN_CASES } from "../golden/golden-cases.js";
import { compilerErrors, wholeService } from "../support/compiled-service.js";
import { readTree } from "../support/read-tree.js";
import { renderValid, type Texts } from "../support/render-files.js";
import { projectOf } from "../support/second-version.js";
import { OWN_BODIES } from "./own-bodies.js";

/** The whole service of a golden case, with the expected files in place of those that would be emitted now. */
async function goldenService(name: string): Promise<Texts> {
  const folder = resolve("fixtures/golden", name);
  const schemas = Object.entries(readTree(folder)).filter(([path]) => path.endsWith(".yaml"));
  const project = await renderValid(Object.fromEntries(schemas));
  return wholeService(project, readTree(expectedFolder(name)));
}

test("every expected tree compiles with the options of a new service", async () => {
  const services = await Promise.all(
    GOLDEN_CASES.map(async (name) => [name, await goldenService(name)] as const),
  );
  expect(await compilerErrors("golden", Object.fromEntries(services), { withPackages: true })).toBe(
    "",
  );
});

test.each(exampleNames())("the example %s compiles with its own code and tools", async (name) => {
  const files = exampleFiles(name, name).map(({ path, text }) => [path, text ?? ""] as const);
  const schemas = files.filter(([path]) => path.endsWith(".yaml"));
  const project = await renderValid(Object.fromEntries(schemas));
  const service = await wholeService(project, Object.fromEntries(files));
  expect(await compilerErrors(`example-${name}`, { [name]: service })).toBe("");
});

/** A project under `fixtures/`, with the code that is its user's or without. */
async function versionsOf(name: string, isWritten: boolean): Promise<Texts> {
  const files = Object.entries(readTree(resolve("fixtures", name)));
  const custom = files.filter(([path]) => isWritten && path.startsWith("custom/"));
  const own = custom.map(([path, text]) => [`src/${path}`, text] as const);
  return wholeService(await projectOf(name), Object.fromEntries(own));
}

test("several versions compile with what the service itself converts", async () => {
  const services = {
    two: await versionsOf("versions", true),
    three: await versionsOf("three-versions", true),
  };
  expect(await compilerErrors("versions", services)).toBe("");
});

test("a service does not compile before its own conversions are written", async () => {
  const errors = await compilerErrors("unwritten", { two: await versionsOf("versions", false) });
  expect(errors).toContain("src/custom/conversions/customers-v1-to-v2.ts");
  expect(errors).toMatch(/toNewer, toOlder/);
});

test("a service compiles with the compiler that its package.json names, and the bodies of its own routes are inferred", async () => {
  const service = await goldenService("minimal");
  const minimal = { ...service, "src/bodies.ts": OWN_BODIES };
  expect(
    await compilerErrors("shipped", { minimal }, { compiler: "shipped", withPackages: true }),
  ).toBe("");
});

test("the compiler finds a mistake, so that its silence means something", async () => {
  const service = await goldenService("minimal");
  const wrong = { ...service, "src/wrong.ts": 'export const wrong: number = "one";\n' };
  expect(await compilerErrors("wrong", { wrong })).toContain("minimal/src/wrong.ts".slice(7));
});
