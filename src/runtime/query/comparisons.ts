/** A value, null, or any of several. */
export type Among<Value> = Value | null | readonly (Value | null)[];

/** Comparisons that must all hold, in the words of a schema's `where`. */
export interface Comparisons<Value> {
  readonly not?: Among<Value>;
  readonly atLeast?: Value;
  readonly atMost?: Value;
  readonly moreThan?: Value;
  readonly lessThan?: Value;
}
