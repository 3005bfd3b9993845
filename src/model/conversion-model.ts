import type { PropertyModel } from "../kinds/property-model.js";
import { upperFirst } from "../naming/resource-name.js";

/** How an older version's properties follow from what is stored, and what is stored from them (VER-2); likewise inside of objects. */
export interface ConversionModel {
  /** In the order of the version's properties. */
  readonly members: readonly MemberModel[];
  /** All that is stored, in its order; some of it may not be shown. */
  readonly stored: readonly PropertyModel[];
}

/** A property of an older version, and where it comes from. */
export interface MemberModel {
  readonly property: PropertyModel;
  /** The stored property that it shows. */
  readonly origin: PropertyModel;
  readonly value: ValueModel;
}

/** How one value becomes the other. */
export type ValueModel =
  | { readonly kind: "same" }
  /** An enum: what is shown instead of values that are stored. */
  | { readonly kind: "values"; readonly instead: readonly Instead[] }
  | { readonly kind: "object"; readonly object: ConversionModel }
  | { readonly kind: "items"; readonly item: ValueModel; readonly isUnique: boolean };

/** A stored value of an enum, and the one that is shown. */
export interface Instead {
  readonly stored: string;
  readonly shown: string;
}

/** Properties that custom code or the schema converts between a version and the next. Both forms are stored. */
export interface PairModel {
  /** `v1ToV2`, and inside of an object `boxV1ToV2`: no two of a resource have the same. */
  readonly name: string;
  /** Of the object in the older version; "": the resource itself. */
  readonly path: string;
  /** Of the object in what is stored, and the name of its type there. */
  readonly storedPath: string;
  readonly storedType: string;
  readonly older: PairSide;
  readonly newer: PairSide;
  /** How the schema says that it is done; null: by custom code. */
  readonly rules: readonly ConversionRule[] | null;
}

/** How a property of the newer side is made of one of the older, and that one of it. */
export type ConversionRule = {
  /** A name of the older version. */
  readonly from: string;
  /** A name of the newer version. */
  readonly to: string;
  /** In both versions. */
  readonly isNullable: boolean;
} & (
  | { readonly kind: "unit"; readonly scale: number }
  /** The value of the newer version for each of the older one. */
  | { readonly kind: "values"; readonly values: Readonly<Record<string, string>> }
);

/** A version that a pair leads from or to. */
export interface PairSide {
  readonly version: string;
  /** What the resource is called there. */
  readonly plural: string;
  /** The type of the object there. */
  readonly typeName: string;
  /** The version has types of its own. */
  readonly isShaped: boolean;
  /** The properties that are converted, and where each is stored. */
  readonly members: readonly MemberModel[];
}

/** `v1ToV2`, and of an object inside, by its path in the older version, `boxV1ToV2`: no two of a resource have the same. */
export function pairName(of: {
  readonly older: string;
  readonly newer: string;
  readonly path: string;
}): string {
  const [first = "", ...rest] = [...(of.path === "" ? [] : of.path.split(".")), of.older];
  return `${first}${rest.map(upperFirst).join("")}To${upperFirst(of.newer)}`;
}

/** A conversion with all that stand inside of it. */
export function conversionsIn(conversion: ConversionModel | null): ConversionModel[] {
  if (conversion === null) return [];
  const inner = conversion.members.flatMap(({ value }) => objectIn(value) ?? []);
  return [conversion, ...inner.flatMap(conversionsIn)];
}

/** How an object is converted, or the items of a list; null where that is not so. */
export function objectIn(value: ValueModel): ConversionModel | null {
  if (value.kind === "items") return objectIn(value.item);
  return value.kind === "object" ? value.object : null;
}
