import type { PropertyType } from "./kinds.js";

/** A property at any depth. */
export interface PropertyModel {
  readonly name: string;
  /** From the root of the entity, or of the resource: `deliveryAddress.state`. */
  readonly path: string;
  readonly description: string;
  readonly type: PropertyType;
  /** REP-2: `required` in YAML; arrays are never null either. */
  readonly nullable: boolean;
  readonly default: Value | null;
  readonly example: Value | null;
  readonly deprecated: boolean;
  /** QRY-3: `range` is by bounds as well. QRY-7: `search` is by parts of texts. */
  readonly filterable: boolean | "range" | "search";
  readonly sortable: boolean;
  readonly unique: boolean;
  readonly readOnly: boolean;
  readonly immutable: boolean;
  readonly sensitive: boolean;
  /** It was added after its version was published: a PUT may leave it out, and it then keeps its value (OPS-4). */
  readonly addedLater: boolean;
  /** VER-2: it is stored as a side of a conversion, and made from the other side in some versions; null: it is not. */
  readonly filled: FilledModel | null;
}

/** A stored property on the older side of a conversion, on the newer side of one, or both (VER-2). */
export interface FilledModel {
  /** The versions after this one make it from a newer side; null: all newer versions show it. */
  readonly until: string | null;
  /** This version and those before it make it from an older side; null: all older versions show it. */
  readonly after: string | null;
  /** The stored paths of what it is made from. */
  readonly from: readonly string[];
}

/** A JSON value. */
export type Value =
  string | number | boolean | readonly Value[] | { readonly [name: string]: Value | null };
