import { readdirSync } from "node:fs";
import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { load } from "../../src/load/load.js";
import { validate } from "../../src/validate/validate.js";

/** The projects with one mistake each, by the code that it has. */
export const INVALID_PROJECTS: readonly string[] = readdirSync("fixtures/invalid").sort();

/** What is reported for a project. */
export async function diagnosticsOf(code: string): Promise<readonly Diagnostic[]> {
  const loaded = load(nodeFiles, `fixtures/invalid/${code}`);
  const { diagnostics } = loaded.ok ? await validate(loaded.value) : loaded;
  return diagnostics;
}
