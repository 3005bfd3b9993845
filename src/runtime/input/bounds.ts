/** What a number must keep to; a bound that is left out does not hold. */
export interface Bounds<N> {
  readonly minimum?: N;
  readonly maximum?: N;
  readonly exclusiveMinimum?: N;
  readonly exclusiveMaximum?: N;
  readonly multipleOf?: N;
}

/** What is wrong with a value outside its bounds, or null; `multipleOf` is not looked at. */
export function boundIssue<N extends number | bigint>(
  value: N,
  bounds: Bounds<N>,
  show: (bound: N) => string,
): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) return `must be at least ${show(minimum)}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${show(maximum)}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `must be more than ${show(exclusiveMinimum)}`;
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return `must be less than ${show(exclusiveMaximum)}`;
  }
  return null;
}

/** Whether a number is a multiple of another by its decimal digits: 0.07 is one of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const left = exact(value);
  const right = exact(divisor);
  const power = Math.min(left.power, right.power);
  return raised(left, power) % raised(right, power) === 0n;
}

/** A number as `digits` times ten to the `power`. */
interface Exact {
  readonly digits: bigint;
  readonly power: number;
}

/** The shortest text that stands for a number is what its sender wrote. */
function exact(value: number): Exact {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
}

function raised({ digits, power }: Exact, to: number): bigint {
  return digits * 10n ** BigInt(power - to);
}
