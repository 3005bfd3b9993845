import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where the package of the runtime is installed, seen from a bundle as well. Throws where it is not. */
export function ownFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("@rulebound/runtime/package.json"));
}

/** The file of a module of the runtime in its package: `base/errors`; null: it is not installed. */
export function ownFile(module: string): string | null {
  try {
    return join(ownFolder(), "dist", `${module}.js`);
  } catch {
    return null;
  }
}

/**
 * Loads a CommonJS package of the runtime's own, or a module of Node. A bundle of the service leaves it out; it is found from the
 * package of the runtime, for not every package manager puts it beside the service as well. Throws if it is not installed.
 */
export function loadOwn<Module>(name: string): Module {
  const place = ownFile("base/own-packages") ?? import.meta.url;
  // What a package exports is described where it is used.
  return createRequire(place)(name) as Module;
}
