import { join, resolve } from "node:path";
import { runtimeFile } from "../support/runtime.js";
import { serviceFolder } from "../support/service-folders.js";

/** A seeded fault of a generated service, and the rule that it breaks. */
export interface Mutant {
  readonly rule: string;
  /** Relative to the service's folder, or one of `runtimeFile`; of several equal texts the first is replaced. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly why: string;
  /** The fixture that the service is generated from; default `contract`. */
  readonly service?:
    | "deprecated"
    | "golden/levels"
    | "golden/references"
    | "limited"
    | "secured"
    | "small-limits"
    | "tenants"
    | "versions";
}

const GENERATED = "src/generated/";

/** A file of the runtime. */
export const runtime = runtimeFile;

/** Whether it changes the runtime, which all services have in common. */
export function isInRuntime({ file }: Mutant): boolean {
  return file.startsWith(runtimeFile("").replace(/\.ts$/, ""));
}

/** The path of the file in the service, or in this repository. */
export function fileOf(mutant: Mutant): string {
  const { service = "contract", file } = mutant;
  return isInRuntime(mutant) ? resolve(file) : join(serviceFolder(service), file);
}

/** A file of a resource: `widgets.serializer`. */
export function resource(name: string): string {
  return `${GENERATED}v1/${name.split(".")[0] ?? ""}/${name}.ts`;
}

/** A file of an entity: `widgets.store`. */
export function entity(name: string): string {
  return `${GENERATED}entities/${name.split(".")[0] ?? ""}/${name}.ts`;
}

/** A file of the service itself. */
export function generated(name: string): string {
  return `${GENERATED}${name}.ts`;
}
