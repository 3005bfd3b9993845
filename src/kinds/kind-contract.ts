import type { KindName } from "./kinds.js";

/** What a client can rely on of a value, as far as its kind says so; a fact that is left out is the usual one. */
export interface ValueFacts {
  /** What an array is an array of. */
  readonly items?: KindName;
  /** The closed list that a value is one of. */
  readonly values?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Fraction digits. */
  readonly scale?: number;
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly exclusiveMinimum?: number | string;
  readonly exclusiveMaximum?: number | string;
  readonly multipleOf?: number | string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  /** The resource that a reference leads to, by its plural. */
  readonly refersTo?: string;
  /** What a reference calls the identifier of the other. */
  readonly identifier?: string;
  /** What that is; left out: a UUID. */
  readonly identifierType?: "string";
  /** Another service keeps what a reference leads to. */
  readonly external?: true;
  /** CHD-4; left out: the deletion of the other is refused. */
  readonly onDelete?: "setNull";
}

/** What the contract of a version asks of a kind (VER-3). */
export interface KindContract<T> {
  facts(type: T): ValueFacts;
}
