import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where `createService` stands in the generated code of ours, and of revisions before the kernel had folders. */
const PLACES = ["kernel/service/service", "kernel/service"];

/** The module of a service that exports `createService`, below `src/generated`: `kernel/service/service`. */
export function serviceModule(folder: string): string {
  const found = PLACES.find((place) => existsSync(join(folder, "src/generated", `${place}.ts`)));
  if (found === undefined) throw new Error(`${folder} has no module that starts its service`);
  return found;
}
