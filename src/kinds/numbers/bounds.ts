/** Inclusive and exclusive bounds; null where there is none. */
export interface Bounds<N> {
  readonly minimum: N | null;
  readonly maximum: N | null;
  readonly exclusiveMinimum: N | null;
  readonly exclusiveMaximum: N | null;
  readonly multipleOf: N | null;
}

/** The names of the bounds, in the order in which they are said. */
export const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
] as const;

/** Those that there are, by name. */
export function statedBounds<N extends string | number>(
  bounds: Bounds<N>,
): Readonly<Partial<Record<keyof Bounds<N>, N>>> {
  return Object.fromEntries(
    BOUNDS.toSorted().flatMap((name) => {
      const bound = bounds[name];
      return bound === null ? [] : [[name, bound]];
    }),
  );
}

/** The same bounds in other numbers. */
export function convertBounds<A, B>(bounds: Bounds<A>, convert: (bound: A) => B): Bounds<B> {
  const each = (bound: A | null): B | null => (bound === null ? null : convert(bound));
  return {
    minimum: each(bounds.minimum),
    maximum: each(bounds.maximum),
    exclusiveMinimum: each(bounds.exclusiveMinimum),
    exclusiveMaximum: each(bounds.exclusiveMaximum),
    multipleOf: each(bounds.multipleOf),
  };
}

/** Whether a number is within its bounds; multiples are not looked at. */
export function isInBounds(value: number, bounds: Bounds<number>): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  return (
    (minimum === null || value >= minimum) &&
    (maximum === null || value <= maximum) &&
    (exclusiveMinimum === null || value > exclusiveMinimum) &&
    (exclusiveMaximum === null || value < exclusiveMaximum)
  );
}
