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
}

/** A JSON value. */
export type Value =
  string | number | boolean | readonly Value[] | { readonly [name: string]: Value | null };
