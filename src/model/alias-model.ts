import type { Instead } from "./conversion-model.js";

/** A search with a path of its own (ALI). */
export interface AliasModel {
  readonly name: string;
  readonly description: string;
  /** `/api/v1/tickets/recentlyclosed` */
  readonly path: string;
  /** All of them must hold. */
  readonly conditions: readonly ConditionModel[];
  readonly sort: readonly SortModel[];
}

/** A property that a list is sorted by. */
export interface SortModel {
  readonly path: string;
  readonly storedPath: string;
  /** VER-2: stored values that stand where the one stands that is shown instead. */
  readonly instead: readonly Instead[];
  readonly descending: boolean;
}

/** What must hold of what is stored. */
export type ConditionModel =
  | PathCondition
  /** All conditions of one of the alternatives. */
  | { readonly kind: "any"; readonly alternatives: readonly (readonly PathCondition[])[] };

/** What must hold for the property at a path. */
export type PathCondition =
  | {
      readonly kind: "comparison";
      readonly path: string;
      readonly comparison: "anyOf" | "noneOf" | "atLeast" | "atMost" | "moreThan" | "lessThan";
      readonly values: readonly (string | number | boolean)[];
      /** Null (for an array `[]`) is one of the values. */
      readonly orNull: boolean;
      /** The property is an array, which is compared with what it contains. */
      readonly contains: boolean;
      /** Further values, known at the time of the request; null: there are none. */
      readonly relative: RelativeDays | null;
    }
  | {
      readonly kind: "window";
      readonly path: string;
      readonly window: "within" | "withinNext";
      readonly milliseconds: number;
    }
  /** The subject at the path is the caller. */
  | { readonly kind: "mine"; readonly path: string };

/** Days that are counted from the date of the request in a time zone. */
export interface RelativeDays {
  /** 0 is today, -1 is yesterday. */
  readonly days: readonly number[];
  /** `Europe/Berlin` */
  readonly timeZone: string;
  /** The property is a date; otherwise it is a timestamp, which is compared with the whole day. */
  readonly isDate: boolean;
}

/** The conditions on paths, those of alternatives among them. */
export function pathConditions(conditions: readonly ConditionModel[]): readonly PathCondition[] {
  return conditions.flatMap((condition) =>
    condition.kind === "any" ? condition.alternatives.flat() : [condition],
  );
}
