import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set<string>();

/** A new folder that goes after the tests of a file; a module that files share must not keep it. */
export function temporaryFolder(): string {
  return goesAfterwards(mkdtempSync(join(tmpdir(), "test-")));
}

/** Lets a folder go after the tests of a file; the folder. */
export function goesAfterwards(folder: string): string {
  folders.add(folder);
  return folder;
}

/** Removes those of the tests of a file. */
export function removeFolders(): void {
  for (const folder of folders) {
    // A folder that cannot be removed fails one file, not all that follow.
    folders.delete(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
