import { isDeepStrictEqual } from "node:util";

import { runCustomNow, OwnCodeFault } from "../base/custom-code.js";
import { decimalOfUnits, decimalUnits } from "../base/decimal.js";
import { StartRefusal, type FieldIssue } from "../base/errors.js";
import { editedAt, type JsonValue } from "../input/json.js";
import { sameItems, canonicalText } from "../input/lists.js";
import { shape, type PropertyReaders } from "../input/reader.js";
import { Report } from "../input/report.js";
import { shownPath, type PropertyNames } from "./problems.js";
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

/** Two functions of custom code that convert properties from one version to the next, and back. */
export interface ConvertedPair<Older, Newer> {
  readonly toNewer: (older: Older) => Newer;
  readonly toOlder: (newer: Newer) => Older;
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

/**
 * Converts a list without duplicates: items with the same shown value are shown once. A sent value keeps all stored items that
 * it shows. Any other value updates the stored item that was shown at its index, unless that one is kept.
 */
export function uniqueItems<Stored, Shown>(
  item: VersionConversion<Stored, Shown>,
): VersionConversion<Stored[], Shown[]> {
  const all = items(item);
  return {
    toShown: (stored) => [
      ...new Map(all.toShown(stored).map((one) => [canonicalText(one), one])).values(),
    ],
    toStored: (sent, stored) => {
      if (stored === null) return all.toStored(sent, null);
      const meant = grouped(stored, (one) => canonicalText(item.toShown(one)));
      const texts = sent.map(canonicalText);
      const shown = [...meant.keys()];
      if (shown.join() === texts.join()) return stored;
      const kept = new Set(texts);
      return sent.flatMap((one, index) => {
        const there = shown[index] ?? "";
        const free = kept.has(there) ? null : (meant.get(there)?.[0] ?? null);
        return meant.get(canonicalText(one)) ?? [item.toStored(one, free)];
      });
    },
  };
}

/** Groups items by a string. */
function grouped<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const text = textOf(item);
    const others = groups.get(text);
    if (others === undefined) groups.set(text, [item]);
    else others.push(item);
  }
  return groups;
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

/** Properties that differ between a version and the next: both forms are stored, and a write of either fills the other (VER-2). */
export interface StoredPair {
  /** The last version that shows the older form. */
  readonly version: string;
  readonly file: string;
  readonly functions: object;
  /** The stored path of the object that contains the properties; empty for the entity itself. */
  readonly path: readonly string[];
  readonly older: PairSide;
  readonly newer: PairSide;
}

/** One form of the properties, by stored names. */
interface PairSide {
  readonly names: readonly string[];
  /** The values of this form as its version shows them. */
  readonly shown: (stored: Values) => Values;
  /** Makes this form from stored values of the other one. `was` is the object before the write. Throws `OwnCodeFault`. */
  readonly make: (other: Values, was: Values | undefined) => Values;
}

type Values = Readonly<Record<string, unknown>>;

/** How a form of the properties is read and stored. */
interface PairForm<Form> {
  readonly read: PropertyReaders<Form>;
  /** Stored names that differ. Defaults to none. */
  readonly names?: Readonly<Record<string, string>>;
  /** Conversions of values that the newest version shows in another way. Defaults to none. */
  readonly values?: { readonly [Name in keyof Form]?: ValueConversion<Form[Name]> };
}

/** A `VersionConversion` from and to whatever is stored. */
interface ValueConversion<Shown> {
  readonly toShown: (stored: never) => Shown;
  readonly toStored: (sent: Shown, stored: never) => unknown;
}

/**
 * Creates a pair from the functions of custom code in `file`. Their results are read like a body (REP-9). `path` defaults to
 * the entity itself.
 */
export function storedPair<Older extends object, Newer extends object>(
  functions: ConvertedPair<Older, Newer>,
  pair: {
    readonly version: string;
    readonly file: string;
    readonly path?: string;
    readonly older: PairForm<Older>;
    readonly newer: PairForm<Newer>;
  },
): StoredPair {
  const { version, file, path = "" } = pair;
  const [older, newer] = [storedForm(pair.older), storedForm(pair.newer)];
  const toOlder = (values: Values) => () => functions.toOlder(newer.shown(values) as Newer);
  const toNewer = (values: Values) => () => functions.toNewer(older.shown(values) as Older);
  return {
    ...{ version, file, functions, path: path === "" ? [] : path.split(".") },
    older: {
      ...older,
      make: (values, was) => older.made(`toOlder in ${file}`, toOlder(values), was),
    },
    newer: {
      ...newer,
      make: (values, was) => newer.made(`toNewer in ${file}`, toNewer(values), was),
    },
  };
}

function storedForm<Form extends object>({ read, names = {}, values = {} }: PairForm<Form>) {
  const readForm = shape(read);
  const conversions = new Map(Object.entries(values) as [string, ValueConversion<unknown>][]);
  const members = Object.keys(read).map((name) => ({
    name,
    stored: names[name] ?? name,
    value: conversions.get(name),
  }));
  return {
    names: members.map(({ stored }) => stored),
    shown: (of: Values): Values =>
      Object.fromEntries(
        members.map(({ name, stored, value }) => [
          name,
          // A stored value has the type of its own conversion.
          value === undefined ? of[stored] : value.toShown(of[stored] as never),
        ]),
      ),
    made: (code: string, convert: () => unknown, was: Values | undefined): Values => {
      const report = new Report();
      // The readers reject values that are not JSON.
      const result = runCustomNow(code, convert) as JsonValue;
      const made = readForm(result, "", report) as Values;
      if (report.size > 0) throw new OwnCodeFault(code, report.issues);
      return Object.fromEntries(
        members.map(({ name, stored, value }) => [
          stored,
          value === undefined
            ? made[name]
            : value.toStored(made[name], (was?.[stored] ?? null) as never),
        ]),
      );
    },
  };
}

/** Throws `StartRefusal` if a function is missing: only the compiler has checked it until now. */
export function requireFunctions({ functions, file }: StoredPair): void {
  for (const name of ["toNewer", "toOlder"]) {
    const written: unknown = Reflect.get(functions, name);
    if (typeof written === "function") continue;
    throw new StartRefusal(`the function ${name} is missing in ${file}.`);
  }
}

/** The value of a stored property that a version does not show, until `fillPairs` fills it. */
export function unfilled<T>(stored?: T): T {
  return stored as T;
}

/** One form, which a version writes, and the other, which follows from it. */
interface Filling {
  readonly pair: StoredPair;
  readonly written: PairSide;
  readonly made: PairSide;
}

/** The pairs in the order in which a version fills them. Null means custom code, which writes as the newest version does. */
function fillings(pairs: readonly StoredPair[], version: string | null): readonly Filling[] {
  const isOlder = (pair: StoredPair): boolean =>
    version !== null && numberOf(version) <= numberOf(pair.version);
  const forward = pairs.filter(isOlder);
  const back = pairs.filter((pair) => !isOlder(pair)).reverse();
  return [
    ...forward.map((pair) => ({ pair, written: pair.older, made: pair.newer })),
    ...back.map((pair) => ({ pair, written: pair.newer, made: pair.older })),
  ];
}

/** `2` of `v2` */
function numberOf(version: string): number {
  return Number(version.slice(1));
}

/** A write that does not contain yet what follows from it. */
interface Unfilled<Properties> {
  readonly next: Properties;
  /** The entity before the write, or null for a new one, and further ones whose forms it may keep. */
  readonly before: readonly (Properties | null)[];
  /** The version of the client; null means custom code. */
  readonly version: string | null;
}

/**
 * Fills the properties that a write's version does not show from those that it shows (VER-2). Where nothing has changed, they
 * stay. Calls `refuse` if an older version could not show the write, with stored names. Throws `OwnCodeFault` if a newer
 * version could not.
 */
export function fillPairs<Properties>(
  pairs: readonly StoredPair[],
  { next, before, version }: Unfilled<Properties>,
  refuse: (issues: readonly FieldIssue[]) => void,
): Properties {
  const issues: FieldIssue[] = [];
  let filled = next;
  for (const filling of fillings(pairs, version)) {
    const { pair, written, made } = filling;
    const known = before.flatMap((entity) => objectsAt(entity, pair.path));
    const objects = objectsAt(filled, pair.path);
    const kept = keptBy(filling, objects, known);
    let index = -1;
    filled = editedAt(filled, pair.path, (object, at) => {
      index += 1;
      const same = kept[index];
      if (same !== undefined) return { ...object, ...picked(same, made.names) };
      const isItem = at.includes("[");
      const was = isItem ? changedItem(object, known, made) : known[0];
      try {
        return { ...object, ...remade(filling, object, was) };
      } catch (error) {
        if (!(error instanceof OwnCodeFault) || made === pair.newer) throw error;
        const names = written.names.filter(
          (name) => !isDeepStrictEqual(was?.[name] ?? null, object[name]),
        );
        const blamed = names.length > 0 ? names : written.names;
        const message = unshownMessage(pair, error);
        issues.push(...blamed.map((name) => ({ field: at + name, message })));
        return object;
      }
    }) as Properties;
  }
  if (issues.length > 0) refuse(issues);
  return filled;
}

/** `fillPairs` for a write of custom code. Throws `OwnCodeFault` if an older version cannot show it. */
export function filledByCode<Properties>(
  pairs: readonly StoredPair[],
  write: Omit<Unfilled<Properties>, "version">,
  code: string,
): Properties {
  return fillPairs(pairs, { ...write, version: null }, (issues) => {
    throw new OwnCodeFault(code, issues);
  });
}

/** For each object the known one whose other form it keeps, because what its version shows of both is equal. */
function keptBy(
  { written, made }: Filling,
  objects: readonly Values[],
  known: readonly Values[],
): readonly (Values | undefined)[] {
  const shownIn = (object: Values): string => canonicalText(written.shown(object));
  const left = grouped(known, shownIn);
  const sames = objects.map((object) => left.get(shownIn(object)) ?? []);
  // First those that are known with both forms, so that no other item takes the form of one of them.
  const whole = objects.map((object, index) => {
    const same = sames[index] ?? [];
    const at = same.findIndex((one) => textOf(one, made) === textOf(object, made));
    return at === -1 ? undefined : same.splice(at, 1)[0];
  });
  return objects.map((_object, index) => whole[index] ?? sames[index]?.shift());
}

/** The known item that an item of a list was before: it has still the form that the version does not show. */
function changedItem(object: Values, known: readonly Values[], made: PairSide): Values | undefined {
  if (made.names.every((name) => object[name] === undefined)) return undefined;
  return known.find((one) => textOf(one, made) === textOf(object, made));
}

/** Makes the other form. A value that the function also makes of the object before the write stays as it was. */
function remade({ made }: Filling, object: Values, was: Values | undefined): Values {
  const result = made.make(object, was);
  if (was === undefined) return result;
  let before: Values;
  try {
    before = made.make(was, was);
  } catch {
    return result;
  }
  const stays = (name: string): boolean => isDeepStrictEqual(result[name], before[name]);
  return Object.fromEntries(
    made.names.map((name) => [name, stays(name) ? was[name] : result[name]]),
  );
}

function unshownMessage({ version }: StoredPair, { fields }: OwnCodeFault): string {
  const told = fields.map(({ field, message }) => `${field} ${message}`.trim());
  return `cannot be shown in ${version}: ${told.join("; ")}`;
}

/** `fillPairs` for a body with issues, which may not be convertible: then nothing is filled. */
export function filledIfPossible<Properties>(
  pairs: readonly StoredPair[],
  write: Unfilled<Properties>,
): Properties {
  try {
    return fillPairs(pairs, write, () => undefined);
  } catch {
    return write.next;
  }
}

/**
 * Adds the names of the properties that a version does not show (VER-2). Each has the name of the first property that fills
 * it. In a conflict, an older property has the names of all of them.
 */
export function withFilledNames(
  pairs: readonly StoredPair[],
  names: PropertyNames,
  version: string | null,
  isConflict = false,
): PropertyNames {
  const all: Record<string, string> = { ...names };
  for (const { pair, written, made } of fillings(pairs, version)) {
    const shown = written.names.map((name) => shownPath([...pair.path, name].join("."), all));
    const [first = ""] = shown;
    const others = shown.slice(1).map((path) => path.slice(path.lastIndexOf(".") + 1));
    for (const name of made.names) {
      const isTold = isConflict && made === pair.older;
      const told = `${[first, ...others].join(" and ")} (${name} in ${pair.version})`;
      all[[...pair.path, name].join(".")] = isTold ? told : first;
    }
  }
  return all;
}

/** The same for equal values of one form. */
function textOf(object: Values, { names }: PairSide): string {
  return canonicalText(names.map((name) => object[name]));
}

function picked(object: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

/** The objects at a path, also in lists. */
function objectsAt(value: unknown, path: readonly string[]): readonly Values[] {
  const found: Values[] = [];
  editedAt(value, path, (object) => {
    found.push(object);
    return object;
  });
  return found;
}
