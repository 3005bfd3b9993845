import { kernel, kernelImports } from "#compiled/kernel";
import { InternalError } from "../diagnostics/internal-error.js";
import { keyOf, type Kept } from "./kept.js";
import type { OutputFile } from "./output-file.js";

/** Where the kernel stands in a service. */
const FOLDER = "src/generated/kernel/";

/** What reads the body of a route of src/app.ts, whatever the schemas hold. */
const BODY_READERS = [
  ...["boolean-reader", "decimal", "enum-reader", "integer-reader", "list-reader", "number-reader"],
  ...["reader", "shape-reader", "text-reader", "timestamp-reader", "uuid-reader"],
].map((name) => `input/${name}.ts`);

/** What the user's files import: those that `init` made, and business code, which throws errors and has hooks. */
const USED_BY_USERS = [
  ...BODY_READERS,
  "base/decimal.ts",
  "base/errors.ts",
  "entity/hooks.ts",
  "service/variables.ts",
  "service/env-file.ts",
  "service/migrate-command.ts",
  "service/start.ts",
  "testing/reset-command.ts",
  "testing/test-database.ts",
];

/** A kernel file in an import: `"../../kernel/query/query.js"`. */
const KERNEL_IMPORT = /"(?:\.{1,2}\/)+(?:[\w-]+\/)*kernel\/([\w/-]+)\.js"/g;

/** The kernel files that a generated text imports: `query/query.ts`. */
export function importedKernelFiles(text: string): readonly string[] {
  // Imports come first, and what follows them has a doc comment.
  const end = text.indexOf("\n/**");
  const imports = end < 0 ? text : text.slice(0, end);
  return [...imports.matchAll(KERNEL_IMPORT)].map(([, path = ""]) => `${path}.ts`);
}

/**
 * The part of the kernel that a service needs: what its generated and the user's files import, and so on from there.
 * Each file is the same for every service of one build.
 */
export function kernelFiles(files: readonly OutputFile[], kept: Kept): OutputFile[] {
  const needed = new Set([...USED_BY_USERS, ...files.flatMap(({ made }) => made?.kernel ?? [])]);
  // A set also iterates over what is added meanwhile.
  for (const path of needed) for (const further of importsOf(path)) needed.add(further);
  const made = { key: keyOf("kernel", "") };
  return [...needed].map((name) => {
    const path = `${FOLDER}${name}`;
    const isKept = kept.made(path)?.key === made.key;
    return { path, owner: "generator", text: isKept ? null : (kernel[name] ?? null), made };
  });
}

function importsOf(path: string): readonly string[] {
  const imports = Object.hasOwn(kernelImports, path) ? kernelImports[path] : undefined;
  if (imports === undefined) throw new InternalError(`The kernel has no file ${path}`);
  return imports;
}
