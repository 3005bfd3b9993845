import { InternalError } from "../diagnostics/internal-error.js";
import { allKinds } from "../kinds/kinds.js";
import { RUNTIME } from "../naming/packages.js";

/** Modules of the runtime, and what each exports for values of any kind. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  "input/reader": ["nullable", "required", "withDefault"],
  "input/shape-reader": ["shape"],
  "query/range-filter": ["range"],
  "store/decimal-rows": ["decimalOf", "decimalOrNull", "scaledInteger", "scaledOrNull"],
  "store/rows": [
    ...["bitOf", "bitOrNull", "booleanOf", "booleanOrNull", "creatorOf", "jsonOf", "jsonOrNull"],
    ...["jsonTextOrNull", "lastModifierOf", "numberOf", "numberOrNull", "textOf", "textOrNull"],
    "unlessLacking",
  ],
};

const MODULES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(EXPORTS).flatMap(([module, names]) =>
    names.map((name) => [name, module] as const),
  ),
  ...allKinds().flatMap(([, { modules }]) => Object.entries(modules)),
]);

/** The runtime's module that exports a function: `input/decimal`. Throws for one that no kind and no table names. */
export function runtimeModule(name: string): string {
  const module = MODULES.get(name);
  if (module === undefined) throw new InternalError(`No module of the runtime exports ${name}`);
  return module;
}

/** What emitted code imports a module of the runtime by: `@rulebound/runtime/internal/base/errors.js`. */
export function runtime(module: string): string {
  return `${RUNTIME}/internal/${module}.js`;
}
