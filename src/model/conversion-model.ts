import type { PropertyModel } from "../kinds/property-model.js";

/** How an older version's properties follow from what is stored, and what is stored from them (VER-2). */
export interface ConversionModel {
  /** What the service's own code converts, the newest first. */
  readonly pairs: readonly PairModel[];
  /** In the order of the resource's properties. */
  readonly members: readonly MemberModel[];
  /** What is stored and not shown. */
  readonly hidden: readonly PropertyModel[];
}

/** A property of an older version, and where it comes from. */
export interface MemberModel {
  readonly property: PropertyModel;
  /** What it is made of: a stored property, or one that is converted by the service's own code. */
  readonly origin: PropertyModel;
  /** The pair that makes it; null: it is stored. */
  readonly pair: string | null;
  readonly value: ValueModel;
}

/** How one value becomes the other. */
export type ValueModel =
  | { readonly kind: "same" }
  /** An enum: what is shown instead of values that are stored. */
  | { readonly kind: "values"; readonly instead: readonly Instead[] }
  | { readonly kind: "object"; readonly object: ObjectConversion }
  | { readonly kind: "items"; readonly item: ValueModel; readonly isUnique: boolean };

/** An object inside of both. */
export type ObjectConversion = Pick<ConversionModel, "members" | "hidden">;

/** A stored value of an enum, and the one that is shown. */
export interface Instead {
  readonly stored: string;
  readonly shown: string;
}

/** Properties that the service's own code converts, from one version to the next and back. */
export interface PairModel {
  /** `v1ToV2` */
  readonly name: string;
  readonly older: string;
  readonly newer: string;
  /** What the resource is called in each. */
  readonly olderPlural: string;
  readonly newerPlural: string;
  /** What goes with it: the properties of the older version, each with the one that the resource shows; null: it does not. */
  readonly inOlder: readonly { readonly property: PropertyModel; readonly shown: string | null }[];
  readonly inNewer: readonly MemberModel[];
  /** The newer version has types of its own. */
  readonly isNewerShaped: boolean;
}
