import { decimalOfUnits, decimalUnits } from "#kernel/base/exact-decimal";
import { countedTexts } from "../countable.js";
import type { KindSamples, Samples } from "../kind-samples.js";
import { convertBounds, isInBounds } from "../numbers/bounds.js";
import { wholeWithin } from "../numbers/number-values.js";
import type { DecimalType } from "./decimal-type.js";
import { keptDecimal } from "./decimal-value.js";

/** Decimals for tests and checks. */
export const decimalSamples: KindSamples<DecimalType> = {
  samples,
  seeded: (type, seed) => {
    const { scale } = type;
    const bounds = convertBounds(type, (bound) => decimalUnits(bound, scale));
    const units = wholeWithin(bounds, seed);
    return units === null ? null : decimalOfUnits(units, scale);
  },
  isCountable: (value, type) => {
    const texts = countedTexts(value);
    const bounds = convertBounds(type, Number);
    const isFitting = (text: string): boolean => isInBounds(Number(text), bounds);
    return type.multipleOf === null && texts.length > 0 && texts.every(isFitting);
  },
};

function samples({ scale, minimum, maximum, exclusiveMinimum, multipleOf }: DecimalType): Samples {
  const inside = minimum ?? maximum ?? (exclusiveMinimum === null ? "1" : `${exclusiveMinimum}`);
  const valid =
    exclusiveMinimum === null && multipleOf === null ? [keptDecimal(inside, scale)] : [];
  const tooFine = scale === 0 ? "1.5" : `1.${"1".repeat(scale + 1)}`;
  return { valid, invalid: [1.5, "one", "1e3", tooFine] };
}
