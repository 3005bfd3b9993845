import type { JsonSchema } from "../json-schema.js";
import { BOUNDS, type Bounds } from "./bounds.js";

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
  return BOUNDS.flatMap((bound) => {
    const value = type[bound];
    return value === null ? [] : [`${BOUND_WORDS[bound]} ${value}`];
  });
}

const BOUND_WORDS = {
  minimum: "at least",
  maximum: "at most",
  exclusiveMinimum: "more than",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
} as const;
