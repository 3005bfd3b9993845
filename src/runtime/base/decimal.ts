/** All digits, on both sides of the point: every such number fits into a 64-bit integer. */
export const DECIMAL_DIGITS = 18;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const LEADING_ZEROS = /^0+(?=\d)/;

/** `-012.5` is `-`, `12` and `5`. */
export interface DecimalParts {
  readonly sign: string;
  /** Without leading zeros. */
  readonly whole: string;
  readonly fraction: string;
}

export function decimalParts(text: string): DecimalParts | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = "", digits = "", fraction = ""] = match;
  return { sign, whole: digits.replace(LEADING_ZEROS, ""), fraction };
}

/** The side of the point with too many digits for the scale. */
export function overlongSide(
  { whole, fraction }: DecimalParts,
  scale: number,
): "before" | "after" | null {
  if (fraction.length > scale) return "after";
  return whole !== "0" && whole.length > DECIMAL_DIGITS - scale ? "before" : null;
}

/** Pads the fraction digits; zero is never negative. */
export function canonicalDecimal({ sign, whole, fraction }: DecimalParts, scale: number): string {
  const value = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, "0")}`;
  return sign === "-" && /[1-9]/.test(value) ? `-${value}` : value;
}

/** `12.5` at scale 2 is `1250n`. */
export function decimalUnits(text: string, scale: number): bigint {
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text + "0".repeat(scale));
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(scale, "0"));
}

/** `1250` at scale 2 is `12.50`. */
export function decimalOfUnits(units: bigint | string, scale: number): string {
  const text = String(units);
  if (scale === 0) return text;
  const sign = text.startsWith("-") ? "-" : "";
  const digits = text.slice(sign.length).padStart(scale + 1, "0");
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Input for a decimal: its text as entities hold it, a whole number, or a decimal. */
export type DecimalValue = string | number | bigint | Decimal;

/**
 * An exact decimal number, for amounts of money: nothing here is ever a float. `Decimal.sum(prices).round(2).toString()` is
 * what a property of scale 2 holds.
 */
export class Decimal {
  private constructor(
    private readonly units: bigint,
    /** Number of fraction digits. */
    readonly scale: number,
  ) {}

  /** Throws a TypeError for a string that is not a decimal, and for a number with a fraction, which is not exact. */
  static of(value: DecimalValue): Decimal {
    if (value instanceof Decimal) return value;
    if (typeof value === "bigint") return new Decimal(value, 0);
    if (typeof value === "number") {
      if (Number.isSafeInteger(value)) return new Decimal(BigInt(value), 0);
      throw new TypeError("A number that is not whole is not exact: give the decimal as text.");
    }
    const parts = decimalParts(value);
    if (parts === null) throw new TypeError("The text is not a decimal number.");
    const scale = parts.fraction.length;
    return new Decimal(decimalUnits(value, scale), scale);
  }

  /** Adds up all values; the sum of none is 0. */
  static sum(values: Iterable<DecimalValue>): Decimal {
    let sum = new Decimal(0n, 0);
    for (const value of values) sum = sum.plus(value);
    return sum;
  }

  /** Returns the exact sum, with the larger scale of the two. */
  plus(value: DecimalValue): Decimal {
    const other = Decimal.of(value);
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  /** Returns the exact difference, with the larger scale of the two. */
  minus(value: DecimalValue): Decimal {
    const other = Decimal.of(value);
    return this.plus(new Decimal(-other.units, other.scale));
  }

  /** Returns the exact product, whose scale is the sum of both scales. */
  times(value: DecimalValue): Decimal {
    const other = Decimal.of(value);
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** Returns the quotient at this scale; a half is rounded to the even neighbour. Throws a RangeError for a division by 0. */
  dividedBy(value: DecimalValue, scale: number): Decimal {
    const other = Decimal.of(value);
    const dividend = this.units * power(other.scale + scale);
    return new Decimal(halfEven(dividend, other.units * power(this.scale)), scale);
  }

  /** Rounds to this scale; a half is rounded to the even neighbour: 0.125 to 0.12, 0.135 to 0.14. */
  round(scale: number): Decimal {
    if (scale >= this.scale) return new Decimal(this.unitsAt(scale), scale);
    return new Decimal(halfEven(this.units, power(this.scale - scale)), scale);
  }

  /** Returns a negative number, 0 or a positive number, as `Array.sort` expects. */
  compare(value: DecimalValue): number {
    const difference = this.minus(value).units;
    if (difference === 0n) return 0;
    return difference < 0n ? -1 : 1;
  }

  /** Returns the text that an entity holds, such as `12.50`. */
  toString(): string {
    return decimalOfUnits(this.units, this.scale);
  }

  toJSON(): string {
    return this.toString();
  }

  private unitsAt(scale: number): bigint {
    return this.units * power(scale - this.scale);
  }
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** The nearest whole number to a quotient; of two that are equally near, the even one. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const over = absolute(dividend);
  const under = absolute(divisor);
  const whole = over / under;
  const rest = (over % under) * 2n;
  const isUp = rest > under || (rest === under && whole % 2n === 1n);
  const nearest = isUp ? whole + 1n : whole;
  return isNegative ? -nearest : nearest;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
