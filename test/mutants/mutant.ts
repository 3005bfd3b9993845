import { runtimeFile } from "../support/runtime.js";

/** A seeded fault of a generated service, and the rule that it breaks. */
export interface Mutant {
  readonly rule: string;
  /** Relative to the service's folder; of several equal texts the first is replaced. */
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
    | "versions";
}

const GENERATED = "src/generated/";

/** A file of the kernel. */
export const kernel = runtimeFile;

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
