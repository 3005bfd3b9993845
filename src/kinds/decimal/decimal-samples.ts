import { decimalOfUnits, decimalUnits } from "#runtime/base/decimal";
import type { Seed } from "../../samples/seed.js";
import type { KindSamples, Samples } from "../kind-samples.js";
import { convertBounds } from "../numbers/bounds.js";
import { wholeWithin } from "../numbers/number-values.js";
import type { DecimalType } from "./decimal-type.js";
import { keptDecimal } from "./decimal-value.js";

/** Decimals for tests and checks. */
export const decimalSamples: KindSamples<DecimalType> = {
  samples,
  seeded: decimalWithin,
};

/** The seed of the first of all values. */
const FIRST: Seed = { run: "0", index: 0, anchors: () => [] };

function samples(type: DecimalType): Samples {
  const { scale, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = type;
  const isPlain = [exclusiveMinimum, exclusiveMaximum, multipleOf].every((bound) => bound === null);
  const value = isPlain
    ? keptDecimal(minimum ?? maximum ?? "1", scale)
    : decimalWithin(type, FIRST);
  const tooFine = scale === 0 ? "1.5" : `1.${"1".repeat(scale + 1)}`;
  return { valid: value === null ? [] : [value], invalid: [1.5, "one", "1e3", tooFine] };
}

/** A decimal within its bounds; null if there is none. */
function decimalWithin(type: DecimalType, seed: Seed): string | null {
  const { scale } = type;
  const units = wholeWithin(
    convertBounds(type, (bound) => decimalUnits(bound, scale)),
    seed,
  );
  return units === null ? null : decimalOfUnits(units, scale);
}
