import { InternalError } from "../diagnostics/internal-error.js";
import { allKinds } from "../kinds/kinds.js";

/** Readers that say what it means that a value is missing, each with the kernel's module that exports it. */
const WRAPPERS = {
  nullable: "input/reader",
  required: "input/reader",
  withDefault: "input/reader",
};

const MODULES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(WRAPPERS),
  ...allKinds().flatMap(([, { readers }]) => Object.entries(readers)),
]);

/** The kernel's module that exports a reader: `input/decimal`. Throws for a name that is not a reader. */
export function readerModule(name: string): string {
  const module = MODULES.get(name);
  if (module === undefined) throw new InternalError(`The kernel has no reader ${name}`);
  return module;
}
