import { InternalError } from "../diagnostics/internal-error.js";

/** Modules of the kernel, and the readers and filters of property values that each exports. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  "entity/children": ["parent"],
  "entity/references": ["reference", "referenceItem"],
  "input/boolean-reader": ["boolean"],
  "input/decimal": ["decimal"],
  "input/enum-reader": ["oneOf"],
  "input/integer-reader": ["integer"],
  "input/list-reader": ["list"],
  "input/number-reader": ["number"],
  "input/reader": ["nullable", "required", "withDefault"],
  "input/text-reader": ["text"],
  "input/timestamp-reader": ["timestamp"],
  "input/uuid-reader": ["uuid"],
  "query/boolean-filter": ["booleanFilter"],
  "query/decimal-filter": ["decimalFilter"],
  "query/enum-filter": ["enumFilter"],
  "query/array-filter": ["contains"],
  "query/integer-filter": ["integerFilter"],
  "query/number-filter": ["numberFilter"],
  "query/text-filter": ["textFilter"],
  "query/timestamp-filter": ["timestampFilter"],
  "query/uuid-filter": ["uuidFilter"],
};

const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(READERS).flatMap(([module, names]) => names.map((name) => [name, module])),
);

/** The kernel's module that exports a reader or a filter: `input/decimal`. Throws for any other name. */
export function readerModule(name: string): string {
  const module = MODULES.get(name);
  if (module === undefined) throw new InternalError(`The kernel has no reader or filter ${name}`);
  return module;
}
