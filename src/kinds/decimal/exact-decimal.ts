/** Digits of a decimal, its scale included: what a 64-bit integer always holds. */
export const DECIMAL_DIGITS = 18;

/** Fraction digits that every decimal is compared with: the greatest `scale`, and some for bounds. */
const PLACES = 20;

/** A decimal as a whole number of 10^-20, so that two can be compared exactly; null when the text is none. */
export function decimalUnits(value: unknown): bigint | null {
  const text = typeof value === "number" ? plainDigits(value) : value;
  if (typeof text !== "string" || !isDecimalText(text)) return null;
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  if (fraction.length > PLACES) return null;
  const units = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return text.startsWith("-") ? -units : units;
}

/** Says whether a text is a decimal of at most 18 digits, as the service takes it. */
export function isDecimalText(text: string): boolean {
  return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/.test(text);
}

/** Fraction digits of a decimal, trailing zeros not counted. */
export function fractionDigits(value: number | string): number {
  const text = typeof value === "number" ? plainDigits(value) : value;
  return (text.split(".")[1] ?? "").replace(/0+$/, "").length;
}

/** Digits before the point. */
export function wholeDigits(value: number | string): number {
  const text = typeof value === "number" ? plainDigits(value) : value;
  return (text.replace("-", "").split(".")[0] ?? "").length;
}

/** `String` writes very small and very great numbers with an exponent. */
function plainDigits(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(PLACES).replace(/0+$/, "").replace(/\.$/, "") : text;
}
