import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serviceFolder } from "./service-folders.js";

// Where the runtime is: tests and benches know it from here and from `#runtime`.

/** Folder of the runtime's source, from the root of the repository. */
export const RUNTIME_SOURCE = "src/runtime";

/** Folders of all that services are made from and run on. */
export const SERVICE_SOURCES: readonly string[] = ["templates", RUNTIME_SOURCE];

/** Returns the path of a runtime file in this repository: `base/errors` -> `src/runtime/base/errors.ts`. */
export function runtimeFile(name: string): string {
  return `${RUNTIME_SOURCE}/${name}.ts`;
}

/** Returns the path of a runtime module below the folder of bundled code, without its ending. */
export function runtimePath(name: string): string {
  return `runtime/${name}`;
}

/** Returns the compiled file of a runtime module in this repository, absolute. */
export function compiledRuntime(name: string): string {
  return resolve(RUNTIME_SOURCE, "dist", `${name}.js`);
}

/** Whether emitted code imports a runtime module by this path. */
export function isRuntimeImport(path: string): boolean {
  return path.startsWith("@rulebound/runtime/");
}

/** Loads a runtime module of a compiled service, by the folder of its compiled code; the caller knows its types. */
export async function loadRuntime<Module>(code: string, name: string): Promise<Module> {
  const bundled = join(code, `${runtimePath(name)}.js`);
  const path = existsSync(bundled) ? bundled : installedModule(bundled, name);
  return (await import(pathToFileURL(path).href)) as Module;
}

/** The file of a runtime module in the package that a service has installed. */
function installedModule(from: string, name: string): string {
  const described = createRequire(from).resolve("@rulebound/runtime/package.json");
  return join(dirname(described), "dist", `${name}.js`);
}

/** Loads a runtime module of a service that tests share: the one that the service itself runs on. */
export async function serviceRuntime<Module>(fixture: string, name: string): Promise<Module> {
  return loadRuntime(join(serviceFolder(fixture), "dist"), name);
}
