import { expect, test } from "vitest";
import { floorFindings, folderOf, packagesOf, readFloors } from "./floors.js";
import { parsed, pathOf, sample, textOf } from "./source-tree.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

const DOCUMENT = textOf("docs/architecture.md");
const GENERATOR = readFloors(DOCUMENT, "Floors: imports only point down", "src");
const RUNTIME = readFloors(DOCUMENT, "The runtime's floors", RUNTIME_SOURCE);
const BUILDINGS = [GENERATOR, RUNTIME].map((building) => ({
  ...building,
  building,
  // The runtime is a building of its own.
  sources: parsed([building.root]).filter(
    (file) => building === RUNTIME || !pathOf(file).startsWith(`${RUNTIME_SOURCE}/`),
  ),
}));

test.each(BUILDINGS)(
  "the table names every folder of $root, and no other",
  ({ root, floors, sources }) => {
    const folders = new Set(sources.map((file) => folderOf(pathOf(file), root)));
    expect([...floors.keys()].sort()).toEqual([...folders].sort());
  },
);

test.each(BUILDINGS)(
  "imports of $root only point down, and packages are imported where the table says",
  ({ building, sources }) => {
    expect(sources.flatMap((file) => floorFindings(file, building))).toEqual([]);
  },
);

test.each(BUILDINGS)(
  "a package that the table of $root names is really used there",
  ({ root, floors, sources }) => {
    const unused = [...floors].flatMap(([folder, { packages }]) => {
      const files = sources.filter((file) => pathOf(file).startsWith(`${root}/${folder}/`));
      const used = new Set(["process", ...files.flatMap(packagesOf)]);
      return packages.filter((name) => !used.has(name)).map((name) => `${folder}: ${name}`);
    });
    expect(unused).toEqual([]);
  },
);

test.each([
  { name: "an import upward", code: `import "../render/format.js";`, want: "refused" },
  {
    name: "an import sideways",
    path: "src/files/a.ts",
    code: `import "../naming/code.js";`,
    want: "refused",
  },
  {
    name: "a type import upward",
    code: `import type { A } from "../apply/plan.js";`,
    want: "refused",
  },
  { name: "a dynamic import upward", code: `await import("../cli/main.js");`, want: "refused" },
  {
    name: "a re-export from above",
    code: `export { plan } from "../apply/plan.js";`,
    want: "refused",
  },
  { name: "an import out of src", code: `import "../../bin/build.js";`, want: "refused" },
  { name: "a package of another folder", code: `import "yaml";`, want: "refused" },
  {
    name: "a part of a package of another folder",
    code: `import "node:fs/promises";`,
    want: "refused",
  },
  { name: "the process", code: `export const cwd = process.cwd();`, want: "refused" },
  { name: "an import downward", code: `import "../naming/code.js";`, want: "allowed" },
  { name: "an import of the same folder", code: `import "./normalise.js";`, want: "allowed" },
  {
    name: "a part of an own package",
    path: "src/render/a.ts",
    code: `import "prettier/standalone";`,
    want: "allowed",
  },
])("$name is $want", ({ path = "src/model/a.ts", code, want }) => {
  expect(floorFindings(sample(path, code), GENERATOR).length > 0).toBe(want === "refused");
});

test.each([
  { name: "an import upward", code: `import "../http/reply.js";`, want: "refused" },
  { name: "an import out of the runtime", code: `import "../../custom/a.js";`, want: "refused" },
  { name: "a package of another folder", code: `import "fastify";`, want: "refused" },
  { name: "an import downward", code: `import "../base/time.js";`, want: "allowed" },
])("in the runtime, $name is $want", ({ code, want }) => {
  const file = sample(`${RUNTIME_SOURCE}/query/a.ts`, code);
  expect(floorFindings(file, RUNTIME).length > 0).toBe(want === "refused");
});
