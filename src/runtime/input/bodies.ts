import { COMMON_FIELDS } from "../base/common-fields.js";
import { ERROR_TYPES, ApiError, listed, type FieldIssue } from "../base/errors.js";
import { isJsonObject, type JsonObject } from "./json.js";
import { isAbsent, wrongType, type Reader } from "./reader.js";
import { Report, UNCHANGEABLE } from "./report.js";

/**
 * The meaning of a missing property, also inside nested objects: its default or null in `whole` (POST), null in `replace`
 * (PUT, OPS-4), the stored value in `merge` (PATCH, RFC 7396). `remove` checks a stored object that becomes null for
 * immutable properties. `own` reads values from custom code: as `merge`, and also properties that clients only read (REP-9).
 */
export type InputMode = "whole" | "replace" | "merge" | "remove" | "own";

/** `stored` is the base of a merge, and has the values that a PUT cannot change. */
export type ObjectReader<T> = (input: BodyInput, stored: T | null) => T;

/** The names that a body of an entity may contain; the common fields among them are ignored (ENT-3). */
export function entityNames(...names: readonly string[]): ReadonlySet<string> {
  return new Set([...names, ...COMMON_FIELDS]);
}

/** Reads one object of a body, property by property, and collects the issues (ERR-4). */
export class BodyInput<Name extends string = string> {
  /** A missing property keeps its stored value in every mode. */
  private isKeeping = false;

  constructor(
    private readonly body: JsonObject,
    private readonly mode: InputMode = "whole",
    private readonly report = new Report(mode === "own"),
    /** Undefined for the body itself. */
    private readonly path?: string,
  ) {}

  /** Returns this object as read for properties that were added after the version was published (OPS-4). */
  get addedLater(): BodyInput<Name> {
    const same = new BodyInput<Name>(this.body, this.mode, this.report, this.path);
    same.isKeeping = true;
    return same;
  }

  /** OPS-8: custom code may also write properties that are `gone` from the newest version. */
  refuseUnknown(known: ReadonlySet<string>, gone: readonly string[] = []): void {
    const isOwn = this.mode === "own" && gone.length > 0;
    this.report.refuseUnknown(this.body, isOwn ? new Set([...known, ...gone]) : known, this.path);
  }

  /** OPS-4 */
  requireAll(names: readonly Name[]): void {
    this.report.requireAll(this.body, names);
  }

  read<T>(name: Name, reader: Reader<T>, stored: T | undefined): T {
    const value = this.body[name];
    if (value === undefined && stored !== undefined && !this.isEmptying) return stored;
    const sent = value === undefined && this.isEmptying ? null : value;
    return reader(sent, this.pathOf(name), this.report);
  }

  /** Reads a property that only custom code writes: a client's value is ignored; a new object has `otherwise` (ENT-3). */
  readOnly<T>(name: Name, reader: Reader<T>, stored: T | undefined, otherwise: T): T {
    if (this.mode === "own") return this.read(name, reader, stored);
    return stored === undefined ? otherwise : stored;
  }

  readOnlyObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    return this.mode === "own" ? this.object(name, reader, stored) : (stored ?? null);
  }

  /** Reports a value other than the stored one (OPS-4), for a reference on its `identifier`. */
  immutable<T>(name: Name, reader: Reader<T>, stored: T | undefined, identifier?: string): T {
    return this.setOnce(name, stored, () => this.read(name, reader, stored), identifier);
  }

  immutableObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    return this.setOnce(name, stored, () => this.object(name, reader, stored));
  }

  requiredImmutableObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T {
    return this.setOnce(name, stored ?? undefined, () => this.requiredObject(name, reader, stored));
  }

  private setOnce<T>(name: Name, stored: T | undefined, read: () => T, identifier?: string): T {
    if (stored === undefined) return read();
    const path = this.pathOf(name);
    if (this.mode === "remove") {
      if (!isEmpty(stored)) this.report.add(path, UNCHANGEABLE);
      return stored;
    }
    if (this.body[name] === undefined) return stored;
    const issues = this.report.size;
    const next = read();
    // It has an issue already.
    if (this.report.size > issues) return stored;
    const isWhole = identifier === undefined || next === null;
    return this.report.unchanged(next, stored, isWhole ? path : `${path}.${identifier}`);
  }

  /** A missing, null or blank object is null (REP-2). */
  object<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    const value = this.body[name];
    const isLeftOut = value === undefined && this.mode !== "remove";
    if (isLeftOut && stored !== undefined && !this.isEmptying) return stored;
    if (!isAbsent(value)) return this.requiredObject(name, reader, stored);
    this.remove(name, reader, stored ?? null);
    return null;
  }

  requiredObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T {
    const value = this.body[name];
    const before = stored ?? null;
    if (before !== null && this.mode === "remove") return this.remove(name, reader, before);
    if (value === undefined && before !== null && !this.isEmptying) return before;
    const path = this.pathOf(name);
    if (isJsonObject(value)) {
      return reader(new BodyInput(value, this.mode, this.report, path), before);
    }
    this.report.add(path, wrongType(value, "an object"));
    return reader(unread(path), before);
  }

  /** Throws `InvalidBody` with all issues, if there are any. */
  finish<T>(read: T): T {
    if (this.report.size > 0) throw new InvalidBody(this.report.issues, read);
    return read;
  }

  /** Does the same as `finish` for a version with its own shape, whose values are converted to the stored ones (VER-2). */
  finishAs<T, Stored>(stored: (sent: T) => Stored, read: T): Stored {
    if (this.report.size > 0)
      throw new InvalidBody(this.report.issues, convertedIfPossible(read, stored));
    return stored(read);
  }

  /** Adds issues for immutable properties of a stored object that becomes null. */
  private remove<T, Before extends T | null>(
    name: string,
    reader: ObjectReader<T>,
    stored: Before,
  ): Before {
    const input = new BodyInput({}, "remove", this.report, this.pathOf(name));
    if (stored !== null) reader(input, stored);
    return stored;
  }

  /** A missing property in a nested object of a PUT is null, and not its default. */
  private get isEmptying(): boolean {
    return this.mode === "replace" && this.path !== undefined && !this.isKeeping;
  }

  private pathOf(name: string): string {
    return this.path === undefined ? name : `${this.path}.${name}`;
  }
}

/** An item of a list is always whole, also in a merge (OPS-5). */
export function object<T>(
  reader: (input: BodyInput, stored: null, references: undefined) => T,
): Reader<T> {
  return (value, path, report) => {
    const mode = report.isOwn ? "own" : "whole";
    if (isJsonObject(value))
      return reader(new BodyInput(value, mode, report, path), null, undefined);
    report.add(path, wrongType(value, "an object"));
    return reader(unread(path), null, undefined);
  };
}

/** The body is refused anyway, so a conversion may fail. */
function convertedIfPossible<T, Stored>(read: T, convert: (read: T) => Stored): Stored | null {
  try {
    return convert(read);
  } catch {
    return null;
  }
}

function isEmpty(stored: unknown): boolean {
  return stored === null || (Array.isArray(stored) && stored.length === 0);
}

/** A placeholder for a value that is not an object; issues inside of it are dropped. */
function unread(path: string): BodyInput {
  return new BodyInput({}, "whole", new Report(), path);
}

interface EntityReading<Shown, Sent, References> {
  /** `shown` is the entity before the change, or null for a new one. */
  read(input: BodyInput, shown: Shown | null, references: References): Sent;
  /** Properties that a PUT must contain (OPS-4). */
  readonly replaced?: readonly string[];
}

/** Converts between the stored shape and the shape of a version (VER-2). */
interface Conversion<Shown, Sent, Stored, Properties> {
  shown(stored: Stored): Shown;
  stored(sent: Sent, stored: Stored | null, shown: Shown | null): Properties;
}

/** Reads the bodies of a resource. Each method throws `InvalidBody` with all issues. */
export interface EntityBodies<Stored, Properties, References> {
  /** POST (OPS-1) */
  create(body: JsonObject, references: References): Properties;
  /** PUT (OPS-4) */
  replace(body: JsonObject, stored: Stored, references: References): Properties;
  /** PATCH (OPS-5, RFC 7396) */
  update(body: JsonObject, stored: Stored, references: References): Properties;
}

/** Reads bodies of a version with the stored shape. A PUT may omit properties that were `addedLater` (OPS-4). */
export function entityBodies<Stored, Properties, References>(
  reading: EntityReading<Stored, Properties, References>,
  { addedLater = [] }: { readonly addedLater?: readonly string[] } = {},
): EntityBodies<Stored, Properties, References> {
  const replaced = reading.replaced?.filter((name) => !addedLater.includes(name)) ?? [];
  const conversion = { shown: asItIs<Stored>, stored: asItIs<Properties> };
  return convertedBodies({ ...reading, ...conversion, replaced });
}

/** Reads bodies of a version with its own shape (VER-2). */
export function convertedBodies<Shown, Sent, Stored, Properties, References>(
  given: EntityReading<Shown, Sent, References> & Conversion<Shown, Sent, Stored, Properties>,
): EntityBodies<Stored, Properties, References> {
  const { replaced = [] } = given;
  const read = (input: BodyInput, stored: Stored | null, references: References): Properties => {
    const shown = stored === null ? null : given.shown(stored);
    return input.finishAs(
      (sent: Sent) => given.stored(sent, stored, shown),
      given.read(input, shown, references),
    );
  };
  return {
    create: (body, references) => read(new BodyInput(body), null, references),
    replace(body, stored, references) {
      const input = new BodyInput(body, "replace");
      input.requireAll(replaced);
      return read(input, stored, references);
    },
    update: (body, stored, references) => read(new BodyInput(body, "merge"), stored, references),
  };
}

function asItIs<Value>(value: Value): Value {
  return value;
}

/** 400 (ERR-4) */
export class InvalidBody extends ApiError {
  constructor(
    readonly fields: readonly FieldIssue[],
    /** The values to store, or null. Properties with an issue have placeholders, which must not be used. */
    readonly read: unknown,
  ) {
    const { status, type, message } = ERROR_TYPES.validationFailed;
    super(status, type, message, listed(fields));
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The body of an action without input is empty (OPS-8, OPS-11). */
export function noInput(body: JsonObject): null {
  const input = new BodyInput(body);
  input.refuseUnknown(NO_NAMES);
  return input.finish(null);
}
