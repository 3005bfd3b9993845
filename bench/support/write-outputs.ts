import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes generated files, but for tests, which no bench runs. */
export function writeOutputs(
  folder: string,
  outputs: readonly { readonly path: string; readonly text: string | null }[],
): void {
  for (const { path, text } of outputs) {
    if (path.startsWith("test/") || text === null) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
