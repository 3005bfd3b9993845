import { countedTexts } from "../countable.js";
import type { KindSamples, Samples } from "../kind-samples.js";
import type { Value } from "../property-model.js";
import type { StringType } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";
import { fitsText, textWithin } from "./text-values.js";

/** Texts for tests and checks. */
export const stringSamples: KindSamples<StringType> = { samples, seeded: textWithin, isCountable };

/** A text of the property's form that counts up, if a common one fits. */
export function countableText(name: string, { format }: StringType): string | null {
  return format === null ? `${name}-100` : TEXT_FORMS[format].countable;
}

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

/** Texts of one form and one length are told apart by a pattern, and by nothing else. */
function isCountable(value: Value, type: StringType): boolean {
  const { format, pattern } = type;
  if (format !== null && value !== TEXT_FORMS[format].countable) return false;
  const texts = countedTexts(value);
  const told = pattern === null ? [String(value)] : texts;
  return texts.length > 0 && told.every((text) => fitsText(text, type));
}
