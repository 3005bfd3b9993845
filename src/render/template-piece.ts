/** What a template of the project's own consists of: texts and tags, in order. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly path: ValuePath }
  | {
      readonly kind: "if";
      readonly path: ValuePath;
      /** What is printed where the value is there, and not empty. */
      readonly then: readonly Piece[];
      readonly otherwise: readonly Piece[];
    }
  | {
      readonly kind: "each";
      readonly path: ValuePath;
      readonly body: readonly Piece[];
      /** Where the list is empty. */
      readonly otherwise: readonly Piece[];
    }
  | {
      readonly kind: "partial";
      readonly name: string;
      /** Stands before each of its lines. */
      readonly indent: string;
      readonly place: TextPlace;
    };

/** Where a value stands in a view: `../name`, `this`, `@last`. */
export interface ValuePath {
  /** How many lists above the present one. */
  readonly depth: number;
  readonly parts: readonly string[];
  /** `@last` and the like: of the item, not in the view. */
  readonly isOfItem: boolean;
  /** As it is written. */
  readonly original: string;
  readonly place: TextPlace;
}

/** A place in the text of a template; both count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}
