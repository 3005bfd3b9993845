import { expect, test } from "vitest";
import { floorFindings, packagesOf, readFloors } from "./floors.js";
import { parsed, pathOf, sample, textOf } from "./source-tree.js";

const FLOORS = readFloors(textOf("docs/architecture.md"));
const SOURCES = parsed(["src"]);

test("the table names every folder of src, and no other", () => {
  const folders = new Set(SOURCES.map((file) => pathOf(file).split("/")[1]));
  expect([...FLOORS.keys()].sort()).toEqual([...folders].sort());
});

test("imports only point down, and packages are imported where the table says", () => {
  expect(SOURCES.flatMap((file) => floorFindings(file, FLOORS))).toEqual([]);
});

test("a package that the table names is really used there", () => {
  const unused = [...FLOORS].flatMap(([folder, { packages }]) => {
    const files = SOURCES.filter((file) => pathOf(file).startsWith(`src/${folder}/`));
    const used = new Set(["process", ...files.flatMap(packagesOf)]);
    return packages.filter((name) => !used.has(name)).map((name) => `${folder}: ${name}`);
  });
  expect(unused).toEqual([]);
});

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
  expect(floorFindings(sample(path, code), FLOORS).length > 0).toBe(want === "refused");
});
