import { resolve } from "node:path";
import { SyntaxKind, type SourceFile } from "ts-morph";
import { expect, test } from "vitest";
import type { RenderedProject } from "../../src/commands/render-project.js";
import { readTree } from "../support/read-tree.js";
import { cases } from "../support/thorough.js";
import { renderValid } from "../support/render-files.js";
import { RUNTIME_COPY, RUNTIME_SOURCE } from "../support/runtime.js";
import { sample } from "../architecture/source-tree.js";
import { GOLDEN_CASES } from "./golden-cases.js";

/** Functions that come in pairs or sets for every form of a value: a service uses at least one of each file. */
const VOCABULARIES = [
  "base/exact-decimal.ts",
  "http/action.ts",
  "http/json-writer.ts",
  "http/http.ts",
  "input/reader.ts",
  "store/rows.ts",
];

/** Read the body of a route of src/app.ts, whatever the schemas hold. */
const BODY_READERS = [
  "input/boolean-reader.ts",
  "input/decimal.ts",
  "input/enum-reader.ts",
  "input/integer-reader.ts",
  "input/list-reader.ts",
  "input/number-reader.ts",
  "input/reader.ts",
  "input/shape-reader.ts",
  "input/text-reader.ts",
  "input/timestamp-reader.ts",
  "input/uuid-reader.ts",
];

/** What `init` wrote, or the user writes, imports these. */
const USED_BY_USERS = [
  ...BODY_READERS,
  "base/decimal.ts",
  "base/errors.ts",
  "service/env-file.ts",
  "service/variables.ts",
  "service/migrate-command.ts",
  "service/start.ts",
  "testing/reset-command.ts",
  "testing/token-command.ts",
];

/** Loaded by `import()`, as a whole. */
const LOADED_WHOLE = [
  "store/postgres.ts",
  "store/postgres-rehearsal.ts",
  "store/sqlite-rehearsal.ts",
];

const PROJECTS = [
  ...GOLDEN_CASES.map((name) => ({ name, folder: resolve("fixtures/golden", name) })),
  ...["contract", "limited", "secured", "versions"].map((name) => ({
    name,
    folder: resolve("fixtures", name),
  })),
];

async function projectOf(folder: string): Promise<RenderedProject> {
  const files = Object.entries(readTree(folder)).filter(([path]) => /\.(?:yaml|json)$/.test(path));
  return renderValid(Object.fromEntries(files));
}

/** Every TypeScript file of a service, by path. */
function sourcesOf({ outputs }: RenderedProject): SourceFile[] {
  return outputs
    .filter(({ path }) => path.endsWith(".ts"))
    .map(({ path, text }) => sample(path, text ?? ""));
}

/** What a kernel file exports, and its own code does not use. */
function exportsOf(file: SourceFile): string[] {
  const words = file.getDescendantsOfKind(SyntaxKind.Identifier).map((one) => one.getText());
  return [...file.getExportedDeclarations().keys()].filter(
    (name) => words.filter((word) => word === name).length === 1,
  );
}

/** Every name that some file of a service imports or passes on. */
function importedNames(sources: readonly SourceFile[]): ReadonlySet<string> {
  const named = sources.flatMap((file) => [
    ...file.getImportDeclarations().flatMap((declaration) => declaration.getNamedImports()),
    ...file.getExportDeclarations().flatMap((declaration) => declaration.getNamedExports()),
  ]);
  return new Set(named.map((one) => one.getName()));
}

/** `query/array-filter.ts contains` for each export of the kernel that nothing in the service uses. */
function unusedExports(project: RenderedProject): string[] {
  const sources = sourcesOf(project);
  const imported = importedNames(sources);
  const kernel = sources.filter((file) => file.getFilePath().includes(`/${RUNTIME_COPY}`));
  return kernel.flatMap((file) => {
    const [, path = ""] = file.getFilePath().split(RUNTIME_COPY);
    if (USED_BY_USERS.includes(path) || LOADED_WHOLE.includes(path)) return [];
    const exported = [...file.getExportedDeclarations().keys()];
    const unused = exportsOf(file).filter((name) => !imported.has(name));
    const isVocabulary = VOCABULARIES.includes(path) && unused.length < exported.length;
    return isVocabulary ? [] : unused.map((name) => `${path} ${name}`);
  });
}

/** A service takes three seconds. */
const EACH = cases({ usual: 6, long: 1 });

test.each(PROJECTS.filter((_, index) => index % EACH === 0))(
  "every export of the kernel of $name is used there",
  async ({ folder }) => {
    expect(unusedExports(await projectOf(folder))).toEqual([]);
  },
);

test.each(BODY_READERS)("%s is in golden/minimal, for routes of its own", async (part) => {
  const { outputs } = await projectOf(resolve("fixtures/golden/minimal"));
  expect(outputs.map(({ path }) => path)).toContain(RUNTIME_COPY + part);
});

test("no file of the kernel is without a service that has it", async () => {
  const projects = await Promise.all(PROJECTS.map(({ folder }) => projectOf(folder)));
  const emitted = new Set(projects.flatMap(({ outputs }) => outputs.map(({ path }) => path)));
  const files = Object.keys(readTree(resolve(RUNTIME_SOURCE)));
  const missing = files.filter((path) => path.endsWith(".ts") && !emitted.has(RUNTIME_COPY + path));
  expect(missing).toEqual([]);
});

test.each([
  { part: "auth/bearer-authentication.ts", with: "secured" },
  { part: "testing/access-tests.ts", with: "secured" },
  { part: "http/caller-limit.ts", with: "limited" },
  { part: "query/aliases.ts", with: "contract" },
  { part: "entity/children.ts", with: "contract" },
  { part: "entity/local-reference.ts", with: "contract" },
  { part: "entity/states.ts", with: "contract" },
  { part: "query/decimal-filter.ts", with: "contract" },
])("$part is in $with, and not in golden/minimal", async ({ part, with: user }) => {
  const has = async (folder: string): Promise<boolean> =>
    (await projectOf(resolve("fixtures", folder))).outputs.some(
      ({ path }) => path === RUNTIME_COPY + part,
    );
  expect([await has(user), await has("golden/minimal")]).toEqual([true, false]);
});
