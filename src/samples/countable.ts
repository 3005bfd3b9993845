import { isInBounds } from "../model/bounds.js";
import type { PropertyType, StringFormat, StringType, Value } from "../model/service-model.js";
import { convertBounds } from "./number-values.js";
import { fitsText } from "./text-values.js";

/** Texts of each format that keep the format with other digits, which a date would not. */
const FORMAT_TEXTS: Readonly<Record<StringFormat, string | null>> = {
  email: "desk.100@example.com",
  uri: "https://example.com/100",
  hostname: "host-100.example.com",
  ipv4: "192.0.2.100",
  ipv6: "2001:db8::100",
  date: null,
};

/**
 * The parts of a text that can be counted up: its last digits, or else the letters at its end. The tests of a service
 * count in the same way, so that they need only one value of a unique property.
 */
const COUNTERS = [
  { place: /\d{1,3}(?=\D*$)/, letters: "0123456789" },
  { place: /[A-Z]{1,2}$/, letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZ" },
  { place: /[a-z]{1,2}$/, letters: "abcdefghijklmnopqrstuvwxyz" },
] as const;
/** The number of values that is enough for the tests of one resource. */
const ENOUGH = 100;

/** A valid text that can be counted up, if one of the common ones fits the property. */
export function countableText(name: string, { format }: StringType): string | null {
  return format === null ? `${name}-100` : FORMAT_TEXTS[format];
}

/** True if counting up gives enough values, and all of them are valid. */
export function isCountable(value: Value | null, type: PropertyType): boolean {
  if (typeof value === "number" && (type.kind === "integer" || type.kind === "number")) {
    const isStep = type.multipleOf === null || Number.isInteger(1 / type.multipleOf);
    return isStep && isInBounds(value + 10 * ENOUGH, type);
  }
  if (typeof value !== "string") return false;
  if (type.kind === "string" && !isOfForm(value, type)) return false;
  const texts = countedTexts(value);
  if (texts.length < ENOUGH) return false;
  // Texts of one format and length differ only in these digits.
  const isTold = type.kind === "decimal" || (type.kind === "string" && type.pattern !== null);
  return (isTold ? texts : [value]).every((text) => isOfType(text, type));
}

function isOfForm(text: string, { format }: StringType): boolean {
  return format === null || text === FORMAT_TEXTS[format];
}

function isOfType(text: string, type: PropertyType): boolean {
  switch (type.kind) {
    case "string":
      return fitsText(text, type);
    case "decimal":
      return type.multipleOf === null && isInBounds(Number(text), convertBounds(type, Number));
    default:
      return type.kind === "uuid" || type.kind === "timestamp";
  }
}

/** All texts that counting up can give. */
function countedTexts(text: string): readonly string[] {
  for (const { place, letters } of COUNTERS) {
    const found = place.exec(text);
    if (found === null) continue;
    const before = text.slice(0, found.index);
    const after = text.slice(found.index + found[0].length);
    return combinations(letters, found[0].length).map((middle) => before + middle + after);
  }
  return [];
}

function combinations(letters: string, length: number): readonly string[] {
  if (length === 0) return [""];
  return combinations(letters, length - 1).flatMap((start) =>
    [...letters].map((end) => start + end),
  );
}
