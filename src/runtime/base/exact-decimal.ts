/** Digits of a decimal, its scale included: what a 64-bit integer always holds. */
export const DECIMAL_DIGITS = 18;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** The text of a decimal in its parts: `-012.5` is `-`, `12` and `5`. */
export interface DecimalParts {
  readonly sign: string;
  /** Without zeros in front. */
  readonly whole: string;
  readonly fraction: string;
}

/** The parts of a text; null where it is not a decimal. */
export function decimalParts(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = "", digits = "", fraction = ""] = match;
  return { sign, whole: digits.replace(LEADING_ZEROS, ""), fraction };
}

/** The side of the point that has more digits than a decimal of that scale; null where neither has. */
export function crowdedSide(
  { whole, fraction }: DecimalParts,
  scale: number,
): "before" | "after" | null {
  if (fraction.length > scale) return "after";
  return whole !== "0" && whole.length > DECIMAL_DIGITS - scale ? "before" : null;
}

/** The one text of a decimal that is not crowded: fraction digits padded, no negative zero. */
export function canonicalDecimal({ sign, whole, fraction }: DecimalParts, scale: number): string {
  const value = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`;
  return sign === "-" && /[1-9]/.test(value) ? `-${value}` : value;
}

/** A decimal as a whole number of its last fraction digit: `12.5` at scale 2 is `1250n`. */
export function decimalUnits(text: string, scale: number): bigint {
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text + "0".repeat(scale));
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(scale, "0"));
}

/** The decimal of a whole number of last fraction digits: `1250` at scale 2 is `12.50`. */
export function decimalOfUnits(units: bigint | string, scale: number): string {
  const text = String(units);
  if (scale === 0) return text;
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
