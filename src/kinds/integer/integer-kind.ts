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
  notANumber,
  type BoundsYaml,
  type Counting,
} from "../numbers/bound-keywords.js";
import { boundOptions, boundSchema, boundWords } from "../numbers/bounds-code.js";
import { convertBounds, statedBounds, type Bounds } from "../numbers/bounds.js";
import { countBetween } from "../numbers/count-between.js";
import { boundSamples } from "../numbers/number-samples.js";
import { wholeWithin } from "../numbers/number-values.js";
import { plainCounting, quotedMistake } from "../numbers/plain-number.js";
import type { PropertyKind } from "../property-kind.js";

/** `Number.MAX_SAFE_INTEGER`: an integer is within 53 bits. */
const MAX_INTEGER = 9_007_199_254_740_991;

const counting: Counting<number> = {
  ...plainCounting,
  formMistake: (bound, keyword) => {
    const expected = "a whole number";
    const quoted = quotedMistake(bound, keyword, expected);
    return quoted ?? (Number.isSafeInteger(bound) ? null : notANumber(bound, keyword, expected));
  },
  hasBetween: (low, high, excluded) =>
    low + (excluded.low ? 1 : 0) <= high - (excluded.high ? 1 : 0),
};

/** A whole number within 53 bits. */
export const integerKind: PropertyKind<IntegerType, BoundsYaml> = {
  spelling: "short",
  synonyms: ["int", "int32", "int64", "long"],
  shape: null,
  keywords: BOUND_KEYWORDS,
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: () => true,
  valueCount: (yaml) => countBetween(yaml, counting),
  keywordMistakes: (yaml) => boundMistakes(yaml, counting),
  valueMistake: (value, expected) =>
    Number.isSafeInteger(value)
      ? boundsMistake(value, expected, counting)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a whole number" }),

  normalise: (yaml) => ({ kind: "integer", ...normaliseBounds(yaml, Number) }),
  // -0 equals 0, and is not told from it.
  normaliseValue: (value) => (value === 0 ? 0 : value),
  facts: (type) => statedBounds(inclusive(type)),

  ...numberColumn,
  encoding: () => ({ form: "integer" }),
  bounds: statedBounds,
  columnType: () => "integer",
  leafType: () => "integer",

  tsType: () => ts`number`,
  jsonSchema: (type) => {
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = type;
    return {
      type: "integer",
      ...(minimum === null && exclusiveMinimum === null && { minimum: -MAX_INTEGER }),
      ...(maximum === null && exclusiveMaximum === null && { maximum: MAX_INTEGER }),
      ...boundSchema(type),
    };
  },
  describe: (type) => ["whole number", ...boundWords(type)].join(", "),
  reader: (type) => call("integer", options(boundOptions(type))),
  filter: () => call("integerFilter"),
  write: (value) => value,

  samples: (type) => {
    const { valid, invalid } = boundSamples(type, 1);
    return { valid, invalid: [...invalid, 1.5, 9_007_199_254_740_992] };
  },
  seeded: (type, seed) => {
    const whole = wholeWithin(
      convertBounds(type, (bound) => BigInt(Math.trunc(bound))),
      seed,
    );
    return whole === null ? null : Number(whole);
  },
};

/** The same numbers within inclusive bounds alone. */
function inclusive({ kind: _, ...type }: IntegerType): Bounds<number> {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = type;
  const lower = [minimum, exclusiveMinimum === null ? null : exclusiveMinimum + 1];
  const upper = [maximum, exclusiveMaximum === null ? null : exclusiveMaximum - 1];
  const given = (bounds: readonly (number | null)[]): number[] =>
    bounds.filter((bound) => bound !== null);
  return {
    minimum: lower.some((bound) => bound !== null) ? Math.max(...given(lower)) : null,
    maximum: upper.some((bound) => bound !== null) ? Math.min(...given(upper)) : null,
    exclusiveMinimum: null,
    exclusiveMaximum: null,
    multipleOf,
  };
}

/** A whole number within 53 bits. */
interface IntegerType extends Bounds<number> {
  readonly kind: "integer";
}
