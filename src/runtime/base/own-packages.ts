import { createRequire } from "node:module";

const PLACE = "@rulebound/runtime/internal/base/own-packages.js";

/**
 * Loads a CommonJS package of the runtime's own, or a module of Node. A bundle of the service leaves it out; it is found from the
 * package of the runtime, for not every package manager puts it beside the service as well. Throws if it is not installed.
 */
export function loadOwn<Module>(name: string): Module {
  // What a package exports is described where it is used.
  return createRequire(place())(name) as Module;
}

function place(): string {
  try {
    return createRequire(import.meta.url).resolve(PLACE);
  } catch {
    return import.meta.url;
  }
}
