import { isDeepStrictEqual } from "node:util";

import { runCustomNow, OwnCodeFault } from "../base/custom-code.js";
import { decimalOfUnits, decimalUnits } from "../base/decimal.js";
import { ApiError, StartRefusal, type FieldIssue } from "../base/errors.js";
import type { RequestContext } from "../http/request.js";
import { jsonPage, type Write } from "../http/response.js";
import type { JsonValue } from "../input/json.js";
import { sameItems, canonicalText } from "../input/lists.js";
import { shape, type PropertyReaders } from "../input/reader.js";
import { Report } from "../input/report.js";
import type { Page } from "../query/page.js";
import type { StateChecks } from "./repository.js";
import type { StateMachine } from "./states.js";

/** Converts between the stored values and those of an older version (VER-2). */
export interface VersionConversion<Stored, Shown> {
  readonly toShown: (stored: Stored) => Shown;
  /** `stored` is the current value, or null for a new one. */
  readonly toStored: (sent: Shown, stored: Stored | null) => Stored;
}

/** Returns the stored form of a sent value. A value that is identical to the shown one keeps the stored value. */
export function storedOf<Stored, Shown>(
  { toStored }: VersionConversion<Stored, Shown>,
  sent: Shown,
  shown: Shown | undefined,
  stored: Stored | undefined,
): Stored {
  return stored !== undefined && sent === shown ? stored : toStored(sent, stored ?? null);
}

/** The context in which a page is written. */
export interface ShownFor {
  readonly context: RequestContext;
  readonly idProperty: string;
  readonly pretty?: boolean;
}

/**
 * Writes a page of entities that custom code converts (VER-2). An entity that cannot be shown is omitted and logged;
 * `itemCount` still counts it.
 */
export async function convertedPage<T>(
  page: Page<T>,
  write: Write<T>,
  { context, idProperty, pretty = true }: ShownFor,
): Promise<string> {
  try {
    return await jsonPage(page, write, pretty);
  } catch (error) {
    // An `ApiError`, such as for a page that is too large, is the response itself.
    if (error instanceof ApiError) throw error;
  }
  const results = page.results.filter((entity) => {
    try {
      write(entity, "");
      return true;
    } catch (error) {
      const id: unknown = Reflect.get(Object(entity), idProperty);
      context.logger.error(
        { err: error, [idProperty]: id },
        "left out of a list: it cannot be shown",
      );
      return false;
    }
  });
  return jsonPage({ ...page, results }, write, pretty);
}

/** Two functions of custom code that convert properties from one version to the next, and back. */
export interface ConvertedPair<Older, Newer> {
  readonly toNewer: (older: Older) => Newer;
  readonly toOlder: (newer: Newer) => Older;
}

/**
 * Creates a conversion from the functions of custom code in `file`. A value that is sent back as shown changes nothing.
 * `toShown` reads the result of `toOlder` like a body, and throws `UnshownValue` if it breaks a rule (REP-9). The result of
 * `toNewer` is checked with the whole entity.
 */
export function convertedPair<Older extends object, Newer>(
  pair: ConvertedPair<Older, Newer>,
  file: string,
  readers: PropertyReaders<Older>,
): VersionConversion<Newer, Older> {
  const [toOlder, toNewer] = [`toOlder in ${file}`, `toNewer in ${file}`];
  const read = shape(readers);
  // One report for all successes: a list shows hundreds of entities.
  let report = new Report();
  const toShown = (stored: Newer): Older => {
    // The readers reject values that are not JSON.
    const older = read(runCustomNow(toOlder, () => pair.toOlder(stored)) as JsonValue, "", report);
    if (report.size === 0) return older;
    const { issues } = report;
    report = new Report();
    throw new UnshownValue(file, issues);
  };
  return {
    toShown,
    toStored: (sent, stored) =>
      stored !== null && isDeepStrictEqual(toShown(stored), sent)
        ? stored
        : runCustomNow(toNewer, () => pair.toNewer(sent)),
  };
}

/** Returns a whole number of small units as a decimal: 1999 cents at scale 2 are `19.99` (VER-2). */
export function unitsToDecimal(units: number, scale: number): string {
  return decimalOfUnits(String(units), scale);
}

/** `unitsToDecimal` for a number that may be null. */
export function unitsToDecimalOrNull(units: number | null, scale: number): string | null {
  return units === null ? null : unitsToDecimal(units, scale);
}

/** Returns a decimal of this scale as a whole number of small units: `19.99` at scale 2 is 1999 cents. */
export function decimalToUnits(decimal: string, scale: number): number {
  return Number(decimalUnits(decimal, scale));
}

/** `decimalToUnits` for a decimal that may be null. */
export function decimalToUnitsOrNull(decimal: string | null, scale: number): number | null {
  return decimal === null ? null : decimalToUnits(decimal, scale);
}

/** Returns what a value of an enum is called in the other version. */
export function renamedValue<From extends string, To>(
  names: Readonly<Record<From, To>>,
  value: From,
): To {
  return names[value];
}

/** `renamedValue` for a value that may be null. */
export function renamedValueOrNull<From extends string, To>(
  names: Readonly<Record<From, To>>,
  value: From | null,
): To | null {
  return value === null ? null : names[value];
}

/** Throws `StartRefusal` if a function in `file` is missing: only the compiler has checked it until now. */
export function requirePair(pair: object, file: string): void {
  for (const name of ["toNewer", "toOlder"]) {
    const written: unknown = Reflect.get(pair, name);
    if (typeof written === "function") continue;
    throw new StartRefusal(`the function ${name} is missing in ${file}.`);
  }
}

/**
 * Converts the items of a list. A sent item that equals a shown one keeps its stored item, also at another index. Any other
 * item updates the stored item at its index, unless that one is kept.
 */
export function items<Stored, Shown>({
  toShown,
  toStored,
}: VersionConversion<Stored, Shown>): VersionConversion<Stored[], Shown[]> {
  return {
    toShown: (stored) => stored.map(toShown),
    toStored: (sent, stored) => {
      if (stored === null) return sent.map((item) => toStored(item, null));
      const shown = stored.map((item) => canonicalText(toShown(item)));
      const same = sameItems(sent.map(canonicalText), shown);
      const taken = new Set(same);
      return sent.map((item, index) => {
        const known = stored[same[index] ?? -1];
        if (known !== undefined) return known;
        return toStored(item, taken.has(index) ? null : (stored[index] ?? null));
      });
    },
  };
}

/** Converts a value that may be null. */
export function orNull<Stored, Shown>({
  toShown,
  toStored,
}: VersionConversion<Stored, Shown>): VersionConversion<Stored | null, Shown | null> {
  return {
    toShown: (stored) => (stored === null ? null : toShown(stored)),
    toStored: (sent, stored) => (sent === null ? null : toStored(sent, stored)),
  };
}

/** Returns the replacement of an embedded value of another entity, or the value itself if there is none. */
export function insteadOf(instead: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(instead, value) ? (instead[value] ?? value) : value;
}

/** Converts an enum of which some values are shown as others. An unchanged value that is sent back changes nothing. */
export function shownInstead<Stored extends string, Shown extends Stored>(
  instead: Readonly<Record<Exclude<Stored, Shown>, Shown>>,
): VersionConversion<Stored, Shown> {
  const others = new Map<string, Shown>(Object.entries<Shown>(instead));
  // A value without a replacement can be shown itself.
  const toShown = (stored: Stored): Shown => others.get(stored) ?? (stored as Shown);
  return {
    toShown,
    toStored: (sent, stored) => (stored !== null && toShown(stored) === sent ? stored : sent),
  };
}

/** Returns state checks whose refusals name the states as an older version does (VER-2). */
export function shownAs<Properties, State extends string>(
  states: StateMachine<Properties>,
  { toShown }: { readonly toShown: (state: State) => string },
): StateChecks<Properties> {
  // Stored states are states of the entity.
  return states.shownAs((state) => toShown(state as State));
}

/** An older version of an entity, if custom code converts some of it (VER-2). */
export interface OlderShape<Entity> {
  readonly version: string;
  /** Throws if the result of custom code does not fit this version. */
  readonly show: (entity: Entity) => object;
  /** The stored properties that each file of custom code converts. */
  readonly converted: Readonly<Record<string, readonly string[]>>;
}

/** A write, and the version of its client. */
interface Written<Properties> {
  readonly next: Properties;
  /** Null means a new entity. */
  readonly stored: Properties | null;
  /** Null means a version without conversions, or custom code. */
  readonly version: string | null;
}

/**
 * Returns the reasons why older versions could not show a write (VER-2), by stored names. A row that they could not show before
 * can still change elsewhere. Throws `UnshownValue` if the writing version itself could not show it.
 */
export function unshownIssues<Entity extends Properties, Properties>(
  shapes: readonly OlderShape<Entity>[],
  { next, stored, version }: Written<Properties>,
): FieldIssue[] {
  return shapes.flatMap((shape) => {
    const { show, converted } = shape;
    const changed = (names: readonly string[]): readonly string[] =>
      names.filter((name) => !isDeepStrictEqual(valueOf(next, name), valueOf(stored, name)));
    // A new entity is checked whole: missing values have to be shown as well.
    const isTouched =
      stored === null || Object.values(converted).some((names) => changed(names).length > 0);
    if (!isTouched) return [];
    try {
      // Conversions do not touch the identifier and the common fields.
      show(next as Entity);
      return [];
    } catch (error) {
      // A client is not to blame for the conversion by its own version.
      if (!(error instanceof UnshownValue) || shape.version === version) throw error;
      const names = converted[error.file] ?? [];
      const blamed = changed(names);
      const message = `cannot be shown in ${shape.version}: ${reasonOf(error)}`;
      return (blamed.length > 0 ? blamed : names).map((field) => ({ field, message }));
    }
  });
}

/** Checks a write of custom code to a store. Throws `OwnCodeFault` if an older version could not show it. */
export function requireShown<Entity extends Properties, Properties>(
  shapes: readonly OlderShape<Entity>[],
  code: string,
  written: Written<Properties>,
): void {
  const issues = unshownIssues(shapes, written);
  if (issues.length > 0) throw new OwnCodeFault(code, issues);
}

function valueOf(holder: unknown, name: string): unknown {
  const value: unknown = holder === null ? null : Reflect.get(Object(holder), name);
  return value;
}

function reasonOf({ fields }: UnshownValue): string {
  return fields.map(({ field, message }) => `${field} ${message}`).join("; ");
}

/** The result of custom code does not fit the older version. `fields` are properties of that version. */
class UnshownValue extends OwnCodeFault {
  constructor(
    readonly file: string,
    fields: readonly FieldIssue[],
  ) {
    super(`toOlder in ${file}`, fields);
  }
}
