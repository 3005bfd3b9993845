import type { PropertyModel } from "../kinds/property-model.js";
import { upperFirst } from "../naming/resource-name.js";

/** How an older version's properties follow from what is stored, and what is stored from them (VER-2); likewise inside of objects. */
export interface ConversionModel {
  /** What the service's own code converts, the newest first. */
  readonly pairs: readonly PairModel[];
  /** In the order of the version's properties. */
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
  | { readonly kind: "object"; readonly object: ConversionModel }
  | { readonly kind: "items"; readonly item: ValueModel; readonly isUnique: boolean };

/** A stored value of an enum, and the one that is shown. */
export interface Instead {
  readonly stored: string;
  readonly shown: string;
}

/** Properties that the service's own code converts, from one version to the next and back. */
export interface PairModel {
  /** `v1ToV2`, and inside of an object `boxV1ToV2`: no two of a resource have the same. */
  readonly name: string;
  /** Of the object in the older version; "": the resource itself. */
  readonly path: string;
  readonly older: PairSide;
  readonly newer: PairSide;
  /** What goes with it: the properties of the older version, each with the one that the resource shows; null: it does not. */
  readonly inOlder: readonly { readonly property: PropertyModel; readonly shown: string | null }[];
  readonly inNewer: readonly MemberModel[];
  /** The newer version has types of its own. */
  readonly isNewerShaped: boolean;
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
  /** The type of the object: as it is stored, where the version has no types of its own. */
  readonly typeName: string;
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
  const { members, pairs } = conversion;
  const held = [...members, ...pairs.flatMap(({ inNewer }) => inNewer)];
  const inner = held.flatMap(({ value }) => objectIn(value) ?? []);
  return [conversion, ...inner.flatMap(conversionsIn)];
}

/** How an object is converted, or the items of a list; null where that is not so. */
export function objectIn(value: ValueModel): ConversionModel | null {
  if (value.kind === "items") return objectIn(value.item);
  return value.kind === "object" ? value.object : null;
}

/** All that the service's own code converts, at any depth, each pair once (VER-2). */
export function pairsIn(conversion: ConversionModel | null): readonly PairModel[] {
  const all = conversionsIn(conversion).flatMap(({ pairs }) => pairs);
  return [...new Map(all.map((pair) => [pairKey(pair), pair])).values()];
}

/** Says whether own code takes part in what is stored under a name: in all of it, or in something inside of it. */
export function isMadeByPairs({ members, pairs }: ConversionModel, name: string): boolean {
  const member = members.find(({ pair, origin }) => pair === null && origin.name === name);
  if (member !== undefined) return pairsIn(objectIn(member.value)).length > 0;
  return pairs.some(({ inNewer }) => inNewer.some(({ origin }) => origin.name === name));
}

/** What each pair makes of which stored properties, at any depth. */
export function convertedBy(
  conversion: ConversionModel,
): readonly { readonly pair: PairModel; readonly names: readonly string[] }[] {
  const { members, pairs } = conversion;
  const storedOf = ({ pair, origin }: MemberModel): readonly string[] => {
    if (pair === null) return [origin.name];
    return pairs
      .filter(({ name }) => name === pair)
      .flatMap(({ inNewer }) => inNewer.flatMap(storedOf));
  };
  const inner = [...members, ...pairs.flatMap(({ inNewer }) => inNewer)].flatMap((member) =>
    pairsIn(objectIn(member.value)).map((pair) => ({ pair, names: storedOf(member) })),
  );
  return [...pairs.map((pair) => ({ pair, names: pair.inNewer.flatMap(storedOf) })), ...inner];
}

/** Pairs of several objects and of several versions have several. */
function pairKey({ path, older }: PairModel): string {
  return `${older.version} ${path}`;
}
