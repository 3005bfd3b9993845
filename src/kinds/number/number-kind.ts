import { mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { ts } from "../../naming/code.js";
import { numberColumn } from "../columns/number-column.js";
import { call, options } from "../expression.js";
import { SCALAR_KEYWORDS } from "../kind-keywords.js";
import {
  BOUND_KEYWORDS,
  boundMistakes,
  boundsMistake,
  normaliseBounds,
  type BoundsYaml,
} from "../numbers/bound-keywords.js";
import { boundOptions, boundSchema, boundWords } from "../numbers/bounds-code.js";
import { boundSamples } from "../numbers/number-samples.js";
import { numberWithin } from "../numbers/number-values.js";
import { plainCounting } from "../numbers/plain-number.js";
import { statedBounds, type Bounds } from "../numbers/bounds.js";
import type { PropertyKind } from "../property-kind.js";

/** A 64-bit floating point number. */
export const numberKind: PropertyKind<NumberType, BoundsYaml> = {
  spelling: "short",
  synonyms: ["float", "double"],
  shape: null,
  keywords: BOUND_KEYWORDS,
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => true,
  valueCount: () => null,
  keywordMistakes: (yaml) => boundMistakes(yaml, plainCounting),
  valueMistake: (value, expected) =>
    Number.isFinite(value)
      ? boundsMistake(value, expected, plainCounting)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a number" }),

  normalise: (yaml) => ({ kind: "number", ...normaliseBounds(yaml, Number) }),
  // -0 equals 0, and is not told from it.
  normaliseValue: (value) => (value === 0 ? 0 : value),
  facts: statedBounds,

  ...numberColumn,
  encoding: () => ({ form: "number" }),
  bounds: statedBounds,
  columnType: () => "real",
  leafType: () => "real",

  tsType: () => ts`number`,
  jsonSchema: (type) => ({ type: "number", ...boundSchema(type) }),
  describe: (type) => ["number", ...boundWords(type)].join(", "),
  reader: (type) => call("number", options(boundOptions(type))),
  filter: () => call("numberFilter"),
  write: (value) => value,

  samples: (type) => boundSamples(type, 0.5),
  seeded: (type, seed) => numberWithin(type, seed),
};

/** A 64-bit floating point number. */
interface NumberType extends Bounds<number> {
  readonly kind: "number";
}
