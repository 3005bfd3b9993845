import { InternalError } from "../diagnostics/internal-error.js";

/** Modules of the kernel, and the readers of property values that each exports. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  "entity/children": ["parent"],
  "entity/references": ["reference", "referenceItem"],
  "input/decimal": ["decimal"],
  "input/list-reader": ["list"],
  "input/number-readers": ["integer", "number"],
  "input/reader": ["nullable", "required", "withDefault"],
  "input/scalar-readers": ["boolean", "oneOf", "timestamp", "uuid"],
  "input/text-reader": ["text"],
};

const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(READERS).flatMap(([module, names]) => names.map((name) => [name, module])),
);

/** The kernel's module that exports a reader: `input/decimal`. Throws for a name that is not a reader. */
export function readerModule(name: string): string {
  const module = MODULES.get(name);
  if (module === undefined) throw new InternalError(`The kernel has no reader ${name}`);
  return module;
}
