/**
 * Declarations of an object's properties in emitted code, each with the access of clients to it, and the readers of such
 * objects. The modes of POST, PUT and PATCH are in bodies.ts.
 */
import { objectOfNulls } from "../base/texts.js";
import { BodyInput, entityNames, type ObjectReader } from "./bodies.js";
import type { JsonObject } from "./json.js";
import type { Reader } from "./reader.js";

interface Property<T, References = unknown> {
  /** Name in a body, if it differs from the stored one (REP-7). */
  readonly name?: string;
  /** `customCode` for properties that the newest version no longer shows (VER-2), `nobody` for hidden ones. */
  readonly sentBy: "everybody" | "customCode" | "nobody";
  /** True if a PUT must contain it (OPS-4). */
  readonly inPut: boolean;
  read(input: BodyInput, name: string, stored: T | undefined, references: References): T;
}

/** A reader that needs the referenced entities (REP-4), or the stored value. */
interface Dependent<T, References> {
  readonly readerFor: (references: References, stored: T | undefined) => Reader<T>;
}

type ReaderOf<T, References> = Reader<T> | Dependent<T, References>;

type NestedReader<T, References> = (
  input: BodyInput,
  stored: T | null,
  references: References,
) => T;

type Properties<T, References> = { readonly [Name in keyof T]-?: Property<T[Name], References> };

/** A property whose reader is made for each body. */
export function dependent<T, References>(
  readerFor: Dependent<T, References>["readerFor"],
): Dependent<T, References> {
  return { readerFor };
}

/** A property that clients write. */
export function property<T, References>(reader: ReaderOf<T, References>): Property<T, References> {
  const choose = chooser(reader);
  return written((input, name, stored, references) =>
    input.read(name, choose(references, stored), stored),
  );
}

/** A property that is set on create and never changed (OPS-4). The issue of a reference is on its `identifier`. */
export function immutable<T, References>(
  reader: ReaderOf<T, References>,
  identifier?: string,
): Property<T, References> {
  const choose = chooser(reader);
  return unlessInPut((input, name, stored, references) =>
    input.immutable(name, choose(references, stored), stored, identifier),
  );
}

/** A property that only custom code writes (ENT-3); a new object has `otherwise`. */
export function serviceWritten<T, References>(
  reader: ReaderOf<T, References>,
  otherwise: T,
): Property<T, References> {
  const choose = chooser(reader);
  return unlessInPut((input, name, stored, references) =>
    input.readOnly(name, choose(references, stored), stored, otherwise),
  );
}

/** A property that no body changes; a new object has `otherwise`. */
export function kept<T>(otherwise?: T): Property<T> {
  // A stored object has every property.
  return unlessInPut((_input, _name, stored) => (stored === undefined ? (otherwise as T) : stored));
}

/** A property that this resource does not show (REP-7). */
export function hidden<T>(otherwise?: T): Property<T> {
  return { ...kept(otherwise), sentBy: "nobody" };
}

/** A nested object that may be null. */
export function nullableObject<T, References>(
  read: NestedReader<T, References>,
): Property<T | null, References> {
  return written((input, name, stored, references) =>
    input.object(name, given(read, references), stored),
  );
}

/** A nested object that is never null. */
export function requiredObject<T, References>(
  read: NestedReader<T, References>,
): Property<T, References> {
  return written((input, name, stored, references) =>
    input.requiredObject(name, given(read, references), stored),
  );
}

/** A nested object that is set on create, and may be null (OPS-4). */
export function immutableObject<T, References>(
  read: NestedReader<T, References>,
): Property<T | null, References> {
  return unlessInPut((input, name, stored, references) =>
    input.immutableObject(name, given(read, references), stored),
  );
}

/** A nested object that is set on create, and is never null (OPS-4). */
export function requiredImmutableObject<T, References>(
  read: NestedReader<T, References>,
): Property<T, References> {
  return unlessInPut((input, name, stored, references) =>
    input.requiredImmutableObject(name, given(read, references), stored),
  );
}

/** A nested object that only custom code writes (ENT-3). */
export function serviceWrittenObject<T, References>(
  read: NestedReader<T, References>,
): Property<T | null, References> {
  return unlessInPut((input, name, stored, references) =>
    input.readOnlyObject(name, given(read, references), stored),
  );
}

function given<T, References>(
  read: NestedReader<T, References>,
  references: References,
): ObjectReader<T> {
  return (input, stored) => read(input, stored, references);
}

/** A property that has another name in bodies (REP-7). */
export function named<T, References>(
  name: string,
  other: Property<T, References>,
): Property<T, References> {
  return { ...other, name };
}

/** A property that was added after its version was published: a PUT without it keeps the stored value (OPS-4). */
export function addedLater<T, References>(other: Property<T, References>): Property<T, References> {
  return {
    ...other,
    inPut: false,
    read: (input, name, stored, references) =>
      other.read(input.addedLater, name, stored, references),
  };
}

/** A property that the newest version no longer shows: only custom code sends it (VER-2). */
export function gone<T, References>(other: Property<T, References>): Property<T, References> {
  return { ...other, sentBy: "customCode" };
}

/** Reads an object with these properties; reports every other name (OPS-8). */
export function readerOfObject<T extends object, References = unknown>(
  properties: Properties<T, References>,
): NestedReader<T, References> {
  return tableReader(properties, (names) => new Set(names)).read;
}

export interface EntityReader<T, References> {
  /** The paths that only custom code writes, in every state (STA-3). */
  readonly serviceWritten: readonly string[];
  /** The reference to its parent, or null (CHD). */
  readonly parent: string | null;
  /** Properties that a PUT must contain (OPS-4). */
  readonly replaced: readonly string[];
  read(input: BodyInput, stored: T | null, references: References): T;
}

/** Reads a body of an entity, whose identifier and common fields are ignored (OPS-8, ENT-3). */
export function readerOfEntity<T extends object, References = unknown>(entity: {
  readonly idProperty: string;
  readonly properties: Properties<T, References>;
  readonly serviceWritten?: readonly string[];
  readonly parent?: string;
}): EntityReader<T, References> {
  const { idProperty, properties, serviceWritten = [], parent = null } = entity;
  const table = tableReader(properties, (names) => entityNames(idProperty, ...names));
  return { ...table, serviceWritten, parent };
}

/** Reads the input or the response of an action; throws `InvalidBody` with all issues. */
export function bodyOf<T, References>(
  read: NestedReader<T, References>,
  body: JsonObject,
  ...[references]: unknown extends References ? [] : [References]
): T {
  const input = new BodyInput(body);
  return input.finish(read(input, null, references as References));
}

function tableReader<T extends object, References>(
  properties: Properties<T, References>,
  knownOf: (names: readonly string[]) => ReadonlySet<string>,
): Pick<EntityReader<T, References>, "read" | "replaced"> {
  const rows = Object.entries<Property<unknown, References>>(properties).map(([key, one]) => {
    return { key, name: one.name ?? key, property: one };
  });
  const namesOf = (isWanted: (one: Property<unknown, References>) => boolean): string[] =>
    rows.filter(({ property: one }) => isWanted(one)).map(({ name }) => name);
  const known = knownOf(namesOf(({ sentBy }) => sentBy === "everybody"));
  const ownCodes = namesOf(({ sentBy }) => sentBy === "customCode");
  const blank = objectOfNulls(rows.map(({ key }) => key));
  return {
    replaced: namesOf(({ inPut }) => inPut),
    read(input, stored, references) {
      input.refuseUnknown(known, ownCodes);
      const before = stored as Record<string, unknown> | null;
      const result: Record<string, unknown> = { ...blank };
      for (const { key, name, property: one } of rows) {
        result[key] = one.read(input, name, before?.[key], references);
      }
      // There is a property for each name of `T`.
      return result as T;
    },
  };
}

function chooser<T, References>(
  reader: ReaderOf<T, References>,
): Dependent<T, References>["readerFor"] {
  return typeof reader === "function" ? () => reader : reader.readerFor;
}

function written<T, References>(read: Property<T, References>["read"]): Property<T, References> {
  return { sentBy: "everybody", inPut: true, read };
}

function unlessInPut<T, References>(
  read: Property<T, References>["read"],
): Property<T, References> {
  return { sentBy: "everybody", inPut: false, read };
}
