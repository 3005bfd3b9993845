import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { SCALAR_KEYWORDS, type Expected, type KindKeywords } from "../kind-keywords.js";
import {
  BOUND_KEYWORDS,
  boundMistakes,
  boundsMistake,
  notANumber,
  type Counting,
} from "../numbers/bound-keywords.js";
import type { DecimalYaml } from "./decimal-type.js";
import { DECIMAL_DIGITS, decimalUnits, fractionDigits, wholeDigits } from "./exact-decimal.js";

const FORM = 'a decimal such as "12.50"';

const counting: Counting<bigint> = {
  formMistake: (bound, keyword, { scale = 0 }) => {
    if (decimalUnits(bound) === null) return notANumber(bound, keyword, FORM);
    const found = digitsMistake(bound as number | string, scale, keyword);
    return found === null ? null : { mistake: found, suggestion: null };
  },
  counted: (value) => decimalUnits(value),
  hasBetween: (low, high) => high > low,
  isMultiple: (value, step) => value % step === 0n,
};

/** What a file can say of a decimal. */
export const decimalKeywords: KindKeywords<DecimalYaml> = {
  spelling: "short",
  keywords: {
    scale: {
      description: "Digits after the point of a decimal.",
      type: "integer",
      minimum: 0,
      maximum: 12,
      default: 0,
      examples: [2],
    },
    ...BOUND_KEYWORDS,
  },
  takes: SCALAR_KEYWORDS,
  demands: {},
  isOrdered: true,
  keywordMistakes: (yaml) => boundMistakes(yaml, counting),
  valueMistake: (value, expected) =>
    decimalUnits(value) === null
      ? mistake("SCH-15", { role: expected.role, value: shown(value), expected: FORM })
      : decimalMistake(value as string | number, expected),
};

function decimalMistake(value: string | number, expected: Expected): Mistake | null {
  const { yaml, role } = expected;
  return digitsMistake(value, yaml.scale ?? 0, role) ?? boundsMistake(value, expected, counting);
}

/** Why a decimal does not fit the scale, or null; `role` is the keyword whose value it is. */
function digitsMistake(value: number | string, scale: number, role: string): Mistake | null {
  const given = { role, value: shown(value), scale };
  if (fractionDigits(value) > scale) {
    return mistake("SCH-100", { ...given, most: scale, side: "after" });
  }
  const most = DECIMAL_DIGITS - scale;
  return wholeDigits(value) > most ? mistake("SCH-100", { ...given, most, side: "before" }) : null;
}
