import { existsSync } from "node:fs";
import { join } from "node:path";
import { compiledRuntime } from "../../test/support/runtime.js";

/** Where revisions whose services had the runtime's files export `createService`, below `src`. */
const FORMER_PLACES = ["generated/kernel/service/service", "generated/kernel/service"];

/** The file below `src` that exports `createService`, without its ending; null: the runtime is a package. */
export function ownServiceModule(folder: string): string | null {
  const isThere = (place: string): boolean => existsSync(join(folder, "src", `${place}.ts`));
  return FORMER_PLACES.find(isThere) ?? null;
}

/** The file below `src` that exports `registry`, without its ending: revisions had one for it alone. */
export function registryModule(folder: string): string {
  const alone = "generated/registry";
  return existsSync(join(folder, "src", `${alone}.ts`)) ? alone : "generated/app";
}

/** What a module in `src` of a service imports `createService` from. */
export function serviceModule(folder: string): string {
  const own = ownServiceModule(folder);
  return own === null ? compiledRuntime("service/service") : `./${own}.js`;
}
