import { existsSync } from "node:fs";
import { join } from "node:path";
import { runtimePath } from "../../test/support/runtime.js";

/** Modules that export `createService`: ours, and that of revisions before the runtime had folders. */
const PLACES = [runtimePath("service/service"), runtimePath("service")];

/** The module of a service that exports `createService`, below `src`. */
export function serviceModule(folder: string): string {
  const found = PLACES.find((place) => existsSync(join(folder, "src", `${place}.ts`)));
  if (found === undefined) throw new Error(`${folder} has no module that starts its service`);
  return found;
}
