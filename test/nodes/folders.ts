import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** A new folder outside the repository, so that nothing of its packages is found from there. */
export function temporaryRoot(): string {
  return mkdtempSync(join(realpathSync(tmpdir()), "nodes-"));
}

/** One SHA-256 over the paths and bytes of a folder, without what the generator remembers there of its last run. */
export function treeHash(folder: string): string {
  const hash = createHash("sha256");
  for (const path of filesOf(folder))
    hash.update(`${path}\n`).update(readFileSync(join(folder, path)));
  return hash.digest("hex");
}

/** When each file was written, by path. */
export function writeTimes(folder: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    filesOf(folder).map((path) => [path, statSync(join(folder, path)).mtimeMs]),
  );
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.startsWith(".rulebound/"))
    .sort();
}
