import { join, posix } from "node:path";
import { serviceFolder } from "./service-folders.js";

// Where the runtime is, in this repository and in services: tests and benches know it from here and from `#kernel`.

/** Folder of the runtime's source, from the root of the repository. */
export const RUNTIME_SOURCE = "templates/kernel";

/** Folders of all that services are made from: the templates and, below one of these, the runtime's source. */
export const SERVICE_SOURCES: readonly string[] = ["templates"];

/** Folder of the runtime in a service, with a slash at its end: paths of its files start with it. */
export const RUNTIME_COPY = "src/generated/kernel/";

/** Returns the path of a runtime file in a service: `base/errors` -> `src/generated/kernel/base/errors.ts`. */
export function runtimeFile(name: string): string {
  return `${RUNTIME_COPY}${name}.ts`;
}

/** Returns the path of a runtime module below `src`, and below the folder of compiled code, without its ending. */
export function runtimePath(name: string): string {
  return posix.relative("src", RUNTIME_COPY + name);
}

/** Returns how code in a folder of a service imports a runtime module: `../generated/kernel/base/errors.js`. */
export function runtimeImport(name: string, folder = "src/custom"): string {
  const path = posix.relative(folder, `${RUNTIME_COPY}${name}.js`);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Whether emitted code imports a runtime module by this path. */
export function isRuntimeImport(path: string): boolean {
  return path.includes("/kernel/");
}

/** Loads a runtime module of a compiled service, by the folder of its compiled code; the caller knows its types. */
export async function loadRuntime<Module>(code: string, name: string): Promise<Module> {
  return (await import(join(code, `${runtimePath(name)}.js`))) as Module;
}

/** Loads a runtime module of a service that tests share: the copy that the service itself runs on. */
export async function serviceRuntime<Module>(fixture: string, name: string): Promise<Module> {
  return loadRuntime(join(serviceFolder(fixture), "dist"), name);
}
