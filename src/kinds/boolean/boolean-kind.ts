import { mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts } from "../../naming/code.js";
import { stepOf } from "../../samples/seed.js";
import { selectedAsItIs } from "../columns/selected.js";
import { call } from "../expression.js";
import { SCALAR_KEYWORDS } from "../kind-keywords.js";
import type { PropertyKind } from "../property-kind.js";

/** True or false; 1 or 0 where it is bound and read. */
export const booleanKind: PropertyKind<BooleanType> = {
  spelling: "short",
  synonyms: ["bool"],
  shape: null,
  keywords: {},
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => false,
  valueCount: () => 2,
  keywordMistakes: () => [],
  valueMistake: (value, { role }) =>
    typeof value === "boolean"
      ? null
      : mistake("SCH-15", { role, value: shown(value), expected: "true or false" }),

  normalise: () => ({ kind: "boolean" }),
  normaliseValue: (value) => value,
  facts: () => ({}),

  columnType: () => "boolean",
  leafType: () => "boolean",
  encoding: () => ({ form: "boolean" }),
  bounds: () => ({}),
  selected: selectedAsItIs,
  leaf: (extracted) => extracted,
  encode: (value, _type, nullable) => call(nullable ? "bitOrNull" : "bitOf", [value]),
  decode: (value, _type, nullable) => call(nullable ? "booleanOrNull" : "booleanOf", [value]),
  bind: () => ts`@bitOf`,

  tsType: () => ts`boolean`,
  jsonSchema: () => ({ type: "boolean" }),
  describe: () => "true or false",
  reader: () => call("boolean"),
  filter: () => call("booleanFilter"),
  write: (value) => value,

  samples: () => ({ valid: [true, false], invalid: ["true", 1] }),
  seeded: (_type, seed) => stepOf(seed, 2) === 0,
};

/** True or false. */
interface BooleanType {
  readonly kind: "boolean";
}
