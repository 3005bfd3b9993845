import { selectedAsItIs } from "./selected.js";
import { ts } from "../naming/code.js";
import type { BooleanType } from "../model/service-model.js";
import { call, plain } from "./expression.js";
import type { PropertyKind } from "./property-kind.js";

/** True or false; 1 or 0 where it is bound and read. */
export const booleanKind: PropertyKind<BooleanType> = {
  tsType: () => ts`boolean`,
  jsonSchema: () => ({ type: "boolean" }),
  reader: () => call("boolean"),
  describe: () => "true or false",
  filter: () => call("booleanFilter"),
  columnType: () => "boolean",
  leafType: () => "boolean",
  encoding: () => ({ form: "boolean" }),
  selected: selectedAsItIs,
  leaf: (extracted) => extracted,
  encode: (value, _type, nullable) => call(nullable ? "bitOrNull" : "bitOf", [plain(value)]),
  decode: (value, _type, nullable) =>
    call(nullable ? "booleanOrNull" : "booleanOf", [plain(value)]),
  bind: () => ({ code: ts`bitOf`, uses: ["bitOf"] }),
  write: (value) => plain(value),
  samples: () => ({ valid: [true, false], invalid: ["true", 1] }),
};
