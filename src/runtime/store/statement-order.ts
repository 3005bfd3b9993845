import type { RowBound, SqlValue, WriteStep } from "./database.js";

/** What a process of its own does with its connection: one order at a time. */
export type StatementOrder =
  | ({ readonly kind: "read" } & ReadOrder)
  | { readonly kind: "write"; readonly steps: readonly OrderedStep[] };

/** A query, and how much its rows may hold. */
export interface ReadOrder {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly bound: RowBound | null;
}

/** A step without its error, which cannot be sent. */
export type OrderedStep = Pick<WriteStep, "sql" | "values" | "changes">;

/** What became of an order. */
export type StatementOutcome =
  | RowsOutcome
  | { readonly kind: "written" }
  /** The rows hold more than they may. */
  | { readonly kind: "tooLarge"; readonly mostBytes: number }
  /** A step has changed another number of rows, and all of them were rolled back. */
  | { readonly kind: "mismatch"; readonly step: number; readonly changed: number }
  | { readonly kind: "failed"; readonly message: string; readonly errcode: number | null };

/** Rows as lists of cells: the names are sent once. */
export interface RowsOutcome {
  readonly kind: "rows";
  readonly names: readonly string[];
  readonly cells: readonly (readonly SqlValue[])[];
  readonly milliseconds: number;
}
