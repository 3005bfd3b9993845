import type { PropertyType } from "../model/service-model.js";
import { arrayKind } from "./array-kind.js";
import { booleanKind } from "./boolean-kind.js";
import { decimalKind } from "./decimal-kind.js";
import { enumKind } from "./enum-kind.js";
import { integerKind } from "./integer-kind.js";
import { numberKind } from "./number-kind.js";
import { objectKind } from "./object-kind.js";
import type { PropertyKind } from "./property-kind.js";
import { referenceKind } from "./reference-kind.js";
import { stringKind } from "./string-kind.js";
import { timestampKind } from "./timestamp-kind.js";
import { uuidKind } from "./uuid-kind.js";

type Kinds = {
  readonly [K in PropertyType["kind"]]: PropertyKind<Extract<PropertyType, { kind: K }>>;
};

const KINDS: Kinds = {
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
export type KindName = keyof Kinds;

/** The kind that answers for a type. */
export function kindOf<T extends PropertyType>(type: T): PropertyKind<T> {
  // The table's type says that the kind under a key answers for that very type.
  return KINDS[type.kind] as unknown as PropertyKind<T>;
}

/** The kind of a name. */
export function kindNamed(name: KindName): PropertyKind<PropertyType> {
  // Nothing but types that it made itself is given back to it.
  return KINDS[name] as unknown as PropertyKind<PropertyType>;
}

/** Says whether a kind has this name. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}
