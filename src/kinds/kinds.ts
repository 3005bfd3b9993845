import { arrayKind } from "./array/array-kind.js";
import { booleanKind } from "./boolean/boolean-kind.js";
import { decimalKind } from "./decimal/decimal-kind.js";
import { enumKind } from "./enum/enum-kind.js";
import { integerKind } from "./integer/integer-kind.js";
import { numberKind } from "./number/number-kind.js";
import { objectKind } from "./object/object-kind.js";
import type { PropertyKind } from "./property-kind.js";
import { referenceKind } from "./reference/reference-kind.js";
import { stringKind } from "./string/string-kind.js";
import { timestampKind } from "./timestamp/timestamp-kind.js";
import { uuidKind } from "./uuid/uuid-kind.js";

/** Every kind of property, in the order in which they are explained. */
const KINDS = {
  string: stringKind,
  enum: enumKind,
  integer: integerKind,
  number: numberKind,
  decimal: decimalKind,
  boolean: booleanKind,
  timestamp: timestampKind,
  uuid: uuidKind,
  object: objectKind,
  reference: referenceKind,
  array: arrayKind,
};

/** The name of a kind: `decimal`. */
export type KindName = keyof typeof KINDS;

type AnyKind = (typeof KINDS)[KindName];

/** What a property holds; only `kinds/` switches on it. */
export type PropertyType = TypeOf<AnyKind>;
type TypeOf<K> = K extends PropertyKind<infer T, infer _> ? T : never;

/** The keywords that are some kind's own, as YAML has them. */
export type OwnKeywords = Intersection<KeywordsOf<AnyKind>>;
type KeywordsOf<K> = K extends PropertyKind<infer _, infer Y> ? Y : never;
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (
  member: infer I,
) => void
  ? I
  : never;

/** The kind that answers for a type. */
export function kindOf<T extends PropertyType>(type: T): PropertyKind<T> {
  // The key under which a kind stands is the `kind` of the types that it answers for.
  return KINDS[type.kind] as unknown as PropertyKind<T>;
}

/** The kind of a name. */
export function kindNamed(name: KindName): PropertyKind<PropertyType> {
  // Likewise: nothing but types that it made itself is given back to it.
  return KINDS[name] as unknown as PropertyKind<PropertyType>;
}

/** Whether a kind has this name. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}

/** Every kind by its name, in the order in which they are explained. */
export function allKinds(): readonly (readonly [KindName, PropertyKind<PropertyType>])[] {
  // The keys of the table are the names.
  return (Object.keys(KINDS) as KindName[]).map((name) => [name, kindNamed(name)]);
}

/** Whether a kind can have a keyword; one that no kind calls its own is everybody's. */
export function takesKeyword(kind: KindName, keyword: string): boolean {
  const takes = (one: KindName): boolean =>
    Object.hasOwn(kindNamed(one).keywords, keyword) ||
    kindNamed(one).takes.some((shared) => shared === keyword);
  return takes(kind) || !allKinds().some(([name]) => takes(name));
}
