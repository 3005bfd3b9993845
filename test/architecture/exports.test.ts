import { posix } from "node:path";
import { Node, SyntaxKind, type SourceFile } from "ts-morph";
import { expect, test } from "vitest";
import { RUNTIME_SOURCE } from "../support/runtime.js";
import { parsed, pathOf } from "./source-tree.js";

/** Users import these modules whole: `variables.text`. */
const NAMESPACES = [`${RUNTIME_SOURCE}/service/variables`];
const LATE_IMPORT = /\{([^{}]+)\} = await import\("([^"]+)"\)/g;
/** Files that a test adds to the sources. */
const ADDED = "fixtures/new-kind/added";
const FILES = parsed(["src", "test", "bench", ADDED]);
const RUNTIME = FILES.filter((file) => {
  const isInside = pathOf(file).startsWith(`${RUNTIME_SOURCE}/`);
  return isInside && !NAMESPACES.includes(nameOf(file));
});

test("the runtime exports nothing that nobody imports", () => {
  const imported = new Set(FILES.flatMap(importsOf));
  const unused = RUNTIME.flatMap((file) =>
    exportedNames(file).filter((name) => !imported.has(`${nameOf(file)} ${name}`)),
  );
  expect(RUNTIME.length).toBeGreaterThan(100);
  expect(unused).toEqual([]);
});

test("no two files of the runtime export the same name", () => {
  const places = new Map<string, string[]>();
  for (const file of RUNTIME)
    for (const name of exportedNames(file))
      places.set(name, [...(places.get(name) ?? []), pathOf(file)]);
  const twice = [...places].filter(([, files]) => files.length > 1);
  expect(twice.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
});

/** `src/runtime/base/errors ApiError` for each name that a file imports, also dynamically, or exports again. */
function importsOf(file: SourceFile): string[] {
  const late = [...file.getFullText().matchAll(LATE_IMPORT)].flatMap(([, names = "", from = ""]) =>
    names.split(",").map((name) => `${moduleOf(file, from)} ${name.trim()}`),
  );
  const imports = file.getImportDeclarations().flatMap((one) => {
    const from = moduleOf(file, one.getModuleSpecifierValue());
    return one.getNamedImports().map((named) => `${from} ${named.getName()}`);
  });
  const exports = file.getExportDeclarations().flatMap((one) => {
    const from = moduleOf(file, one.getModuleSpecifierValue() ?? "");
    return one.getNamedExports().map((named) => `${from} ${named.getName()}`);
  });
  return [...imports, ...exports, ...late];
}

/** The path of a module of the runtime without its ending. */
function moduleOf(file: SourceFile, specifier: string): string {
  const path = specifier.replace(/\.js$/, "");
  const from = posix.dirname(pathOf(file).replace(`${ADDED}/`, ""));
  if (path.startsWith(".")) return posix.join(from, path);
  return path.replace(/^#runtime/, RUNTIME_SOURCE);
}

function nameOf(file: SourceFile): string {
  return pathOf(file).replace(/\.ts$/, "");
}

function exportedNames(file: SourceFile): string[] {
  return file.getStatements().flatMap((statement) => {
    if (!Node.isModifierable(statement) || !statement.hasModifier(SyntaxKind.ExportKeyword))
      return [];
    return namesIn(statement);
  });
}

function namesIn(statement: Node): string[] {
  if (Node.isVariableStatement(statement))
    return statement.getDeclarations().map((one) => one.getName());
  return Node.isNameable(statement) || Node.isNamed(statement) ? [statement.getName() ?? ""] : [];
}
