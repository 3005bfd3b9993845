import { digits, pickerOf, type Seed } from "../../samples/seed.js";
import { patternText } from "./pattern-text.js";
import type { StringType } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";

const TRIES = 30;

/** A text that its bounds, pattern and format allow; null where none was found. */
export function textWithin(type: StringType, seed: Seed, word: string): string | null {
  if (type.pattern !== null) return patternWithin(type, seed, word);
  const candidates =
    type.format === null
      ? [plainText(type, seed, word)]
      : TEXT_FORMS[type.format].seeded(seed, word);
  return candidates.find((text) => hasLength(text, type)) ?? null;
}

/** Whether the text could be one of the property's. */
export function fitsText(text: string, type: StringType): boolean {
  if (!hasLength(text, type) || text.trim() === "") return false;
  return type.pattern === null || new RegExp(type.pattern, "u").test(text);
}

function patternWithin(type: StringType, seed: Seed, word: string): string | null {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const text = patternText(type.pattern ?? "", pickerOf(seed, `${word} ${turn}`));
    if (text !== null && fitsText(text, type)) return text;
  }
  return null;
}

function plainText({ minLength, maxLength }: StringType, seed: Seed, word: string): string {
  const own = `verify ${digits(seed, word).slice(0, 12)}`;
  if (own.length > maxLength) return digits(seed, word).slice(0, maxLength);
  return own.padEnd(minLength, "x");
}

function hasLength(text: string, { minLength, maxLength }: StringType): boolean {
  const length = [...text].length;
  return length >= minLength && length <= maxLength;
}
