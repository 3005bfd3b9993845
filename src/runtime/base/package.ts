import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { StartRefusal } from "./errors.js";

/** The folder of the installed package, also from inside a bundle. Throws if it is not installed. */
export function ownFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("@rulebound/runtime/package.json"));
}

/** The file of a module such as `base/errors`; null if the package is not installed. */
export function ownFile(module: string): string | null {
  try {
    return join(ownFolder(), "dist", `${module}.js`);
  } catch {
    return null;
  }
}

/**
 * Loads a CommonJS dependency of the runtime, or a module of Node. It is resolved from the package of the runtime, because some
 * package managers do not make it visible to the service. Throws if it is not installed.
 */
export function loadOwn<Module>(name: string): Module {
  const place = ownFile("base/package") ?? import.meta.url;
  // The caller knows the types of the package.
  return createRequire(place)(name) as Module;
}

export const RUNTIME_VERSION = "0.1.0";

/** `v1` is the module `@rulebound/runtime/generated/v1`. */
export const GENERATED_DOORS: readonly string[] = ["v1"];

/** Throws `StartRefusal` if this version lacks the module that the code was generated for. */
export function checkMadeFor(door: string, doors: readonly string[] = GENERATED_DOORS): void {
  if (doors.includes(door)) return;
  throw new StartRefusal(
    `The code was generated for generated/${door} of @rulebound/runtime, and ${RUNTIME_VERSION} is installed, which has ${doors.join(", ")}: ` +
      `run "npm install" to install what package.json asks for ("generator eject runtime --force" where that is runtime/), ` +
      `or "generator upgrade" of generator ${RUNTIME_VERSION} to bring the code to it`,
  );
}
