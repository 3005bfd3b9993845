import type { StringFormat, StringType } from "../model/service-model.js";
import { patternText } from "./pattern-text.js";
import { digits, pickerOf, stepOf, type Seed } from "./seed.js";

const TRIES = 30;

/** A text that its bounds, pattern and format allow; null where none was found. */
export function textWithin(type: StringType, seed: Seed, word: string): string | null {
  if (type.pattern !== null) return patternWithin(type, seed, word);
  const candidates =
    type.format === null ? [plainText(type, seed, word)] : formatTexts(type.format, seed, word);
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

function formatTexts(format: StringFormat, seed: Seed, word: string): readonly string[] {
  const own = digits(seed, word);
  const short = own.slice(0, 4);
  switch (format) {
    case "email":
      return [`verify.${own.slice(0, 12)}@example.com`, `${short}@a.io`, "a@b.co"];
    case "uri":
      return [`https://example.com/verify/${own.slice(0, 12)}`, `http://a/${short}`, `a:${short}`];
    case "hostname":
      return [`verify-${own.slice(0, 12)}.example.com`, `h${short}`, "h"];
    case "ipv4":
      return [`10.${[0, 2, 4].map((start) => byteOf(own.slice(start, start + 2))).join(".")}`];
    case "ipv6":
      return [`2001:db8::${Number.parseInt(short, 16).toString(16)}`];
    case "date":
      return [`20${20 + stepOf(seed, 10)}-0${1 + stepOf(seed, 9)}-${10 + stepOf(seed, 18)}`];
  }
}

function byteOf(hex: string): number {
  return Number.parseInt(hex, 16);
}

function hasLength(text: string, { minLength, maxLength }: StringType): boolean {
  const length = [...text].length;
  return length >= minLength && length <= maxLength;
}
