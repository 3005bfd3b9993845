import { canonicalDecimal, decimalParts, decimalUnits } from "#runtime/base/decimal";

/** A decimal of a schema as text; null for what is neither a text nor a number. */
export function decimalText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "number") return null;
  const text = String(value);
  // `String` writes very small numbers with an exponent.
  return text.includes("e-") ? value.toFixed(20).replace(/0+$/, "") : text;
}

/** The text in which the service keeps a decimal that the check has let pass: 12.5 -> "12.50". */
export function keptDecimal(value: unknown, scale: number): string {
  const text = decimalText(value) ?? "";
  const parts = decimalParts(text);
  return parts === null ? text : canonicalDecimal(parts, scale);
}

/** A decimal of a schema as a whole number of its last fraction digit; null where it is not one of that scale. */
export function unitsOf(value: unknown, scale: number): bigint | null {
  const parts = decimalParts(decimalText(value) ?? "");
  if (parts === null || parts.fraction.length > scale) return null;
  return decimalUnits(canonicalDecimal(parts, scale), scale);
}
