import {
  overlongSide,
  DECIMAL_DIGITS,
  decimalParts,
  type DecimalParts,
} from "#runtime/base/decimal";
import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { SCALAR_KEYWORDS, type KindKeywords } from "../kind-keywords.js";
import {
  BOUND_KEYWORDS,
  boundMistakes,
  boundsMistake,
  notANumber,
  type Counting,
} from "../numbers/bound-keywords.js";
import { countBetween } from "../numbers/count-between.js";
import type { DecimalYaml } from "./decimal-type.js";
import { decimalText, unitsOf } from "./decimal-value.js";

const FORM = 'a decimal such as "12.50"';

const counting: Counting<bigint> = {
  formMistake: (bound, keyword, { scale = 0 }) => {
    const parts = decimalParts(decimalText(bound) ?? "");
    if (parts === null) return notANumber(bound, keyword, FORM);
    const found = digitsMistake(parts, { role: keyword, value: shown(bound), scale });
    return found === null ? null : { mistake: found, suggestion: null };
  },
  counted: (value, { scale = 0 }) => unitsOf(value, scale),
  hasBetween: (low, high, excluded) =>
    low + (excluded.low ? 1n : 0n) <= high - (excluded.high ? 1n : 0n),
  isMultiple: (value, step) => value % step === 0n,
};

/** What a file can say of a decimal. */
export const decimalKeywords: KindKeywords<DecimalYaml> = {
  spelling: "short",
  synonyms: ["money", "numeric"],
  shape: null,
  keywords: {
    scale: {
      description: "The number of digits after the decimal point of a decimal.",
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
  isOrdered: () => true,
  valueCount: (yaml) => countBetween(yaml, counting),
  keywordMistakes: (yaml) => boundMistakes(yaml, counting),
  valueMistake: (value, expected) => {
    const given = { role: expected.role, value: shown(value) };
    const parts = decimalParts(decimalText(value) ?? "");
    if (parts === null) return mistake("SCH-15", { ...given, expected: FORM });
    return (
      digitsMistake(parts, { ...given, scale: expected.yaml.scale ?? 0 }) ??
      boundsMistake(value, expected, counting)
    );
  },
};

/** Why a decimal does not fit the scale, or null; `role` is the keyword whose value it is. */
function digitsMistake(
  parts: DecimalParts,
  given: { readonly role: string; readonly value: string; readonly scale: number },
): Mistake | null {
  const { scale } = given;
  const side = overlongSide(parts, scale);
  if (side === null) return null;
  const most = side === "after" ? scale : DECIMAL_DIGITS - scale;
  return mistake("SCH-100", { ...given, most, side });
}
