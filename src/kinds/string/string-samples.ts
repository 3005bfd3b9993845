import type { KindSamples, Samples } from "../kind-samples.js";
import type { StringType } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";
import { textWithin } from "./text-values.js";

/** Texts for tests and checks. */
export const stringSamples: KindSamples<StringType> = { samples, seeded: textWithin };

function samples({ minLength, maxLength, pattern, format }: StringType): Samples {
  const tooLong = "x".repeat(maxLength + 1);
  // Text that fits a pattern cannot be made up in general: the schema's own example is used there.
  if (pattern !== null) return { valid: [], invalid: [tooLong] };
  if (format !== null) return TEXT_FORMS[format].samples;
  const shortest = Math.max(1, minLength);
  const valid = ["x".repeat(shortest), "ü😀".repeat(Math.ceil(shortest / 2)).slice(0)];
  return {
    valid: valid.filter((text) => [...text].length <= maxLength),
    invalid: [tooLong, ...(minLength > 1 ? ["x".repeat(minLength - 1)] : [])],
  };
}
