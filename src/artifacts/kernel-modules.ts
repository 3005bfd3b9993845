import { InternalError } from "../diagnostics/internal-error.js";

/** Modules of the kernel, and what each exports for values of one kind. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
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
  "store/decimal-rows": ["decimalOf", "decimalOrNull", "scaledInteger", "scaledOrNull"],
  "store/rows": [
    ...["bitOf", "bitOrNull", "booleanOf", "booleanOrNull", "commonFields", "jsonOf", "jsonOrNull"],
    ...["jsonTextOrNull", "numberOf", "numberOrNull", "textOf", "textOrNull"],
  ],
};

const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(EXPORTS).flatMap(([module, names]) => names.map((name) => [name, module])),
);

/** The kernel's module that exports a name: `input/decimal`. Throws for a name that is not in the table. */
export function kernelModule(name: string): string {
  const module = MODULES.get(name);
  if (module === undefined) throw new InternalError(`No module of the kernel exports ${name}`);
  return module;
}
