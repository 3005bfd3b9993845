import { join } from "node:path";
import { serviceFolder } from "./service-folders.js";

/** Compiled services, and what they run on, are loaded by Node: vitest has nothing to transform in them. */
export const COMPILED = /\/(?:test\/\.services\/.*|src\/runtime)\/dist\//;

/**
 * A module of a generated service as `transpileService` compiled it, by its path below `src`. A path that is only known
 * at run time has no types: the caller says what the module exports, and test/types checks the generated code.
 */
export async function compiledModule<Module>(fixture: string, path: string): Promise<Module> {
  return (await import(join(serviceFolder(fixture), "dist", `${path}.js`))) as Module;
}
