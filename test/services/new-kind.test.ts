import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { COMPILERS } from "../support/compiled-service.js";
import { SERVICES } from "../support/service-folders.js";

const run = promisify(execFile);

/** A kind that does not exist, `colour`: its folder, and its reader in the runtime. */
const ADDED = resolve("fixtures/new-kind/added");
/** What has to be touched beside them: the new text, and what it stands before. */
const TOUCHED = {
  "src/kinds/kinds.ts": [
    ["import { decimalKind }", 'import { colourKind } from "./colour/colour-kind.js";\n'],
    ["  object: objectKind,", "  colour: colourKind,\n"],
  ],
  "src/runtime/doors/generated-v1.ts": [
    ["export { decimal }", 'export { colour } from "../input/colour-reader.js";\n'],
  ],
  // The second reading of the contract is nobody's but its own.
  "src/verify/readings.ts": [
    [
      "  object: {",
      '  colour: { edges: () => [], wrong: () => [7, "red"], wrongTexts: () => [] },\n',
    ],
  ],
} as const;

const COPIED = [
  ...["src", "bin", "templates", "schemas", "package.json", "tsconfig.json", "LICENSE"],
  // The build compiles them.
  ...["docs/changes.md", "docs/contract.md"],
];

/** A copy of the generator, inside the repository, so that the packages are found. */
const GENERATOR = join(SERVICES, "new-kind/generator");
const SERVICE = join(SERVICES, "new-kind/garage");

beforeAll(async () => {
  rmSync(join(SERVICES, "new-kind"), { recursive: true, force: true });
  for (const part of COPIED) {
    cpSync(part, join(GENERATOR, part), { recursive: true });
  }
  cpSync(ADDED, GENERATOR, { recursive: true });
  for (const [path, insertions] of Object.entries(TOUCHED)) insert(path, insertions);
  cpSync("fixtures/new-kind/project", SERVICE, { recursive: true });
  await run(process.execPath, [join(GENERATOR, "bin/build.js")]);
  mkdirSync(join(SERVICE, "node_modules/@rulebound"), { recursive: true });
  symlinkSync(join(GENERATOR, "src/runtime"), join(SERVICE, "node_modules/@rulebound/runtime"));
});

function insert(path: string, insertions: readonly (readonly [string, string])[]): void {
  let text = readFileSync(join(GENERATOR, path), "utf8");
  for (const [before, added] of insertions) {
    const parts = text.split(before);
    expect(parts, `${before} in ${path}`).toHaveLength(2);
    text = parts.join(added + before);
  }
  writeFileSync(join(GENERATOR, path), text);
}

function generate(): Promise<{ stdout: string }> {
  const bin = join(GENERATOR, "bin/generator.js");
  return run(process.execPath, [bin, "generate"], { cwd: SERVICE });
}

function compile(folder: string, include: readonly string[]): Promise<unknown> {
  const config = {
    extends: resolve("tsconfig.json"),
    compilerOptions: { rootDir: "/" },
    include,
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.check.json"), JSON.stringify(config));
  return run(process.execPath, [COMPILERS.fast, "-p", join(folder, "tsconfig.check.json")]);
}

function service(path: string): string {
  return readFileSync(join(SERVICE, path), "utf8");
}

test("a new kind is its folder, its reader in the runtime, and a line in each of three files", () => {
  const added = readdirSync(ADDED, { recursive: true, withFileTypes: true });
  const files = added.filter((entry) => entry.isFile());
  const inFolder = files.filter(({ parentPath }) => parentPath.endsWith("/src/kinds/colour"));
  expect([files.length, inFolder.length]).toEqual([3, 2]);
  expect(Object.keys(TOUCHED)).toHaveLength(3);
});

test("the generator compiles with it", async () => {
  await compile(GENERATOR, ["src"]);
});

test("editors know it, since the build puts what it says of itself into the JSON Schema", () => {
  const schema = readFileSync(join(GENERATOR, "schemas/resource.schema.json"), "utf8");
  expect(schema.match(/"colour"/g)).toHaveLength(2);
});

test("a wrong value of it is told at its place", async () => {
  const path = join(SERVICE, "resources/v1/cars.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace('"#000000"', "black"));
  await expect(generate()).rejects.toMatchObject({
    stderr: expect.stringContaining(
      'The default "black" is not a colour such as "#ff00aa".',
    ) as string,
  });
  writeFileSync(path, text);
});

test("what is generated with it compiles", async () => {
  await generate();
  await compile(SERVICE, ["src"]);
  expect(service("src/generated/entities/cars/cars.reader.ts")).toContain(
    "paint: property(required(colour()))",
  );
  expect(service("openapi/v1.json")).toContain('"pattern": "^#[0-9a-f]{6}$"');
});

test("what is generated with it reads its values, and refuses others", async () => {
  await generate();
  const path = join(SERVICE, "src/generated/v1/cars/cars.validator.ts");
  const { carBodies } = (await import(pathToFileURL(path).href)) as {
    carBodies: { create: (body: unknown) => unknown };
  };
  expect(carBodies.create({ model: "Beetle", paint: "#c0ffee", seats: ["#aa0000"] })).toMatchObject(
    {
      paint: "#c0ffee",
      roof: "#000000",
      seats: ["#aa0000"],
    },
  );
  expect(() => carBodies.create({ model: "Beetle", paint: "C0FFEE" })).toThrow(
    expect.objectContaining({
      details: { fields: [{ field: "paint", message: 'must be a colour, such as "#ff00aa"' }] },
    }) as Error,
  );
});
