import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { InternalError } from "../diagnostics/internal-error.js";
import { nodeFiles } from "../files/node-files.js";

/** The folder of the generator's own package, whichever chunk of it this code ended up in. */
export function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (nodeFiles.exists(join(folder, "package.json"))) return folder;
  }
  throw new InternalError(`no package.json above ${start}`);
}
