import { COMMON_FIELDS } from "../base/common-fields.js";
import { InvalidBody } from "./invalid-body.js";
import { isJsonObject, type JsonObject } from "./json.js";
import { isAbsent, wrongType, type Reader } from "./reader.js";
import { Report, UNCHANGEABLE } from "./report.js";

/**
 * How a body that leaves something out is understood, also inside nested objects: a `whole` one (POST) has its default
 * or null there, a `replace` (PUT) has null (OPS-4), a `merge` (PATCH, RFC 7396) keeps what is stored. `remove` is for a
 * stored object that is to be null: what is immutable in it stands in the way. What the service's `own` code has made is
 * a merge where something is stored, and has what clients only read as well (REP-9).
 */
export type InputMode = "whole" | "replace" | "merge" | "remove" | "own";

/** Reads the nested object `input`; `stored` is what a merge starts from, and what a PUT cannot change. */
export type ObjectReader<T> = (input: BodyInput, stored: T | null) => T;

/** All names that a body of an entity may hold; those that the service writes are ignored (ENT-3). */
export function entityNames(...names: readonly string[]): ReadonlySet<string> {
  return new Set([...names, ...COMMON_FIELDS]);
}

/** One object of a request's body, property by property, which are called `Name`; every issue is collected (ERR-4). */
export class BodyInput<Name extends string = string> {
  /** What is left out keeps what is stored, whatever the mode. */
  private isKeeping = false;

  constructor(
    private readonly body: JsonObject,
    private readonly mode: InputMode = "whole",
    private readonly report = new Report(mode === "own"),
    /** The path of this object; undefined for the body itself. */
    private readonly path?: string,
  ) {}

  /** The same object for what was added after its version was published: a PUT that leaves it out keeps it (OPS-4). */
  get addedLater(): BodyInput<Name> {
    const same = new BodyInput<Name>(this.body, this.mode, this.report, this.path);
    same.isKeeping = true;
    return same;
  }

  /** OPS-8: every other name is an issue; those that are `gone` from the newest version only clients cannot write. */
  refuseUnknown(known: ReadonlySet<string>, gone: readonly string[] = []): void {
    const isOwn = this.mode === "own" && gone.length > 0;
    this.report.refuseUnknown(this.body, isOwn ? new Set([...known, ...gone]) : known, this.path);
  }

  /** OPS-4: each of these has to be there. */
  requireAll(names: readonly Name[]): void {
    this.report.requireAll(this.body, names);
  }

  /** A property; one that is left out keeps what is stored, where something is and no PUT empties it. */
  read<T>(name: Name, reader: Reader<T>, stored: T | undefined): T {
    const value = this.body[name];
    if (value === undefined && stored !== undefined && !this.isEmptying) return stored;
    const sent = value === undefined && this.isEmptying ? null : value;
    return reader(sent, this.pathOf(name), this.report);
  }

  /** A property that only the service's own code writes: what a client sends is ignored, and a new one is `otherwise` (ENT-3). */
  readOnly<T>(name: Name, reader: Reader<T>, stored: T | undefined, otherwise: T): T {
    if (this.mode === "own") return this.read(name, reader, stored);
    return stored === undefined ? otherwise : stored;
  }

  /** The same for a nested object, which may be null. */
  readOnlyObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    return this.mode === "own" ? this.object(name, reader, stored) : (stored ?? null);
  }

  /**
   * A property that is set on create and never changed: another value than the stored one is an issue (OPS-4), of a
   * reference on its `identifier`.
   */
  immutable<T>(name: Name, reader: Reader<T>, stored: T | undefined, identifier?: string): T {
    return this.setOnce(name, stored, () => this.read(name, reader, stored), identifier);
  }

  /** The same for a nested object that may be null. */
  immutableObject<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    return this.setOnce(name, stored, () => this.object(name, reader, stored));
  }

  /** The same for one that is never null. */
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
    // What could not be read is told already.
    if (this.report.size > issues) return stored;
    const isWhole = identifier === undefined || next === null;
    return this.report.unchanged(next, stored, isWhole ? path : `${path}.${identifier}`);
  }

  /** A nested object that may be null: left out, null or blank is null (REP-2). */
  object<T>(name: Name, reader: ObjectReader<T>, stored: T | null | undefined): T | null {
    const value = this.body[name];
    const isLeftOut = value === undefined && this.mode !== "remove";
    if (isLeftOut && stored !== undefined && !this.isEmptying) return stored;
    if (!isAbsent(value)) return this.requiredObject(name, reader, stored);
    this.remove(name, reader, stored ?? null);
    return null;
  }

  /** A nested object that is never null. */
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

  /** What was read; throws `InvalidBody` with every issue, if there is any. */
  finish<T>(read: T): T {
    if (this.report.size > 0) throw new InvalidBody(this.report.issues, read);
    return read;
  }

  /**
   * What is stored of what was read, in a version with a shape of its own (VER-2); throws `InvalidBody` likewise, with what
   * would be stored: null where a value that was refused cannot be converted.
   */
  finishAs<T, Stored>(stored: (sent: T) => Stored, read: T): Stored {
    if (this.report.size > 0) throw new InvalidBody(this.report.issues, orNothing(read, stored));
    return stored(read);
  }

  /** Tells what is immutable in a stored object that is to be null, and returns it. */
  private remove<T, Before extends T | null>(
    name: string,
    reader: ObjectReader<T>,
    stored: Before,
  ): Before {
    const input = new BodyInput({}, "remove", this.report, this.pathOf(name));
    if (stored !== null) reader(input, stored);
    return stored;
  }

  /** What a nested object of a PUT leaves out is null, and not its default; the PUT itself leaves nothing out. */
  private get isEmptying(): boolean {
    return this.mode === "replace" && this.path !== undefined && !this.isKeeping;
  }

  private pathOf(name: string): string {
    return this.path === undefined ? name : `${this.path}.${name}`;
  }
}

/** An item of a list that is an object: always whole, also in a merge (OPS-5). */
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

/** A conversion of a body that is refused anyway: that it fails tells nobody anything. */
function orNothing<T, Stored>(read: T, convert: (read: T) => Stored): Stored | null {
  try {
    return convert(read);
  } catch {
    return null;
  }
}

/** Whether there is nothing that could get lost. */
function isEmpty(stored: unknown): boolean {
  return stored === null || (Array.isArray(stored) && stored.length === 0);
}

/** Stands for a value that is not an object: what is missing in it is not reported as well. */
function unread(path: string): BodyInput {
  return new BodyInput({}, "whole", new Report(), path);
}
