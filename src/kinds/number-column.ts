import { ts } from "../naming/code.js";
import { selectedAsItIs } from "./selected.js";
import type { TsCode } from "../naming/encoders.js";
import { isInBounds } from "../model/bounds.js";
import type { Bounds } from "../model/service-model.js";
import { call, plain, type Expression } from "./expression.js";
import type { JsonSchema, Samples } from "./property-kind.js";

/** What integers and numbers share. */
export const numberColumn = {
  tsType: () => ts`number`,
  selected: selectedAsItIs,
  leaf: (extracted: string) => extracted,
  encode: (value: TsCode): Expression => plain(value),
  decode: (value: TsCode, _type: unknown, nullable: boolean): Expression =>
    call(nullable ? "numberOrNull" : "numberOf", [plain(value)]),
  bind: () => null,
  write: (value: TsCode): Expression => plain(value),
} as const;

/** The bounds that are set, as options of a reader; decimals' are text. */
export function boundOptions<N extends string | number>(type: Bounds<N>): Record<string, N | null> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = type;
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf };
}

/** The bounds that are set, as JSON Schema keywords. */
export function boundSchema(type: Bounds<number>): JsonSchema {
  return Object.fromEntries(
    Object.entries(boundOptions(type)).filter(([, bound]) => bound !== null),
  );
}

/** The bounds that are set, in words. */
export function boundWords(type: Bounds<string | number>): string[] {
  return Object.entries(BOUND_WORDS).flatMap(([bound, words]) => {
    const value = type[bound as keyof typeof BOUND_WORDS];
    return value === null ? [] : [`${words} ${value}`];
  });
}

const BOUND_WORDS = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
} as const;

/** Samples at the bounds and just outside them. `step` is the smallest difference. */
export function boundSamples(type: Bounds<number>, step: number): Samples {
  const low = lowest(type, step);
  const high = highest(type, step);
  const near = low ?? (high === null ? multiple(0, type) : Math.min(0, high));
  const valid = [near, ...(low === null || high === null ? [] : [high])];
  const outside = [
    ...(type.minimum === null ? [] : [type.minimum - step]),
    ...(type.maximum === null ? [] : [type.maximum + step]),
    ...[type.exclusiveMinimum, type.exclusiveMaximum].filter((bound) => bound !== null),
  ];
  // A step is lost beside a bound that is huge.
  const wrong = outside.filter((value) => !isInBounds(value, type));
  return {
    valid: type.multipleOf === null ? valid : [multiple(near, type)],
    invalid: ["one", true, ...wrong],
  };
}

function lowest(type: Bounds<number>, step: number): number | null {
  return type.minimum ?? (type.exclusiveMinimum === null ? null : type.exclusiveMinimum + step);
}

function highest(type: Bounds<number>, step: number): number | null {
  return type.maximum ?? (type.exclusiveMaximum === null ? null : type.exclusiveMaximum - step);
}

/** The first multiple at or above `from`. */
function multiple(from: number, { multipleOf }: Bounds<number>): number {
  return multipleOf === null ? from : Math.ceil(from / multipleOf) * multipleOf;
}
