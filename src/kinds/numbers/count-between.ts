import type { PropertyObjectYaml } from "../property-yaml.js";
import type { BoundsYaml, Counting } from "./bound-keywords.js";

/**
 * How many numbers the bounds of a property let pass, for a kind whose numbers are counted one by one; null where a bound
 * is missing or wrong, which is told at the bound.
 */
export function countBetween<N extends number | bigint>(
  yaml: PropertyObjectYaml,
  { formMistake, counted }: Counting<N>,
): number | null {
  const whole = (keyword: keyof BoundsYaml): bigint | null => {
    const bound = yaml[keyword];
    if (bound === undefined || formMistake(bound, keyword, yaml) !== null) return null;
    const found = counted(bound, yaml);
    return found === null ? null : BigInt(found);
  };
  const low = whole("minimum") ?? moved(whole("exclusiveMinimum"), 1n);
  const high = whole("maximum") ?? moved(whole("exclusiveMaximum"), -1n);
  const step = yaml.multipleOf === undefined ? 1n : whole("multipleOf");
  if (low === null || high === null || low > high || step === null || step <= 0n) return null;
  return Number(floorOf(high, step) - floorOf(low - 1n, step));
}

function moved(bound: bigint | null, by: bigint): bigint | null {
  return bound === null ? null : bound + by;
}

/** How many times `step` goes into a number, rounded down; a quotient of bigints is rounded towards zero. */
function floorOf(value: bigint, step: bigint): bigint {
  const quotient = value / step;
  return value < 0n && value % step !== 0n ? quotient - 1n : quotient;
}
