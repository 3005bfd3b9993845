import { isDeepStrictEqual } from "node:util";

import { runCustomNow, OwnCodeFault } from "../base/custom-code.js";
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

/** How an older version shows what is stored, and what is stored of what it sends (VER-2). */
export interface VersionConversion<Stored, Shown> {
  readonly toShown: (stored: Stored) => Shown;
  /** `stored` is what is there already: null where nothing is. */
  readonly toStored: (sent: Shown, stored: Stored | null) => Stored;
}

/** What is stored of a value that is sent. What is the very value that was shown has not been sent: what is stored stays. */
export function storedOf<Stored, Shown>(
  { toStored }: VersionConversion<Stored, Shown>,
  sent: Shown,
  shown: Shown | undefined,
  stored: Stored | undefined,
): Stored {
  return stored !== undefined && sent === shown ? stored : toStored(sent, stored ?? null);
}

/** What a page is written for. */
export interface ShownFor {
  readonly context: RequestContext;
  readonly idProperty: string;
  readonly pretty?: boolean;
}

/**
 * A page of entities of which custom code converts something (VER-2). One that cannot be shown costs itself only: the page
 * leaves it out, the log says which and why, and `itemCount` still counts it.
 */
export async function convertedPage<T>(
  page: Page<T>,
  write: Write<T>,
  { context, idProperty, pretty = true }: ShownFor,
): Promise<string> {
  try {
    return await jsonPage(page, write, pretty);
  } catch (error) {
    // A page that is too large is refused as it is.
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

/** Properties that the service's own code converts, from one version to the next and back. */
export interface ConvertedPair<Older, Newer> {
  readonly toNewer: (older: Older) => Newer;
  readonly toOlder: (newer: Newer) => Older;
}

/**
 * What the service's own code in `file` converts; what is sent back as it was shown changes nothing. What `toOlder` makes is
 * read like a body of the older version: `toShown` throws `UnshownValue` where it breaks a rule (REP-9). What `toNewer` makes
 * is read with all else that is stored.
 */
export function convertedPair<Older extends object, Newer>(
  pair: ConvertedPair<Older, Newer>,
  file: string,
  readers: PropertyReaders<Older>,
): VersionConversion<Newer, Older> {
  const [toOlder, toNewer] = [`toOlder in ${file}`, `toNewer in ${file}`];
  const read = shape(readers);
  // One for all that is right: a list shows hundreds of them.
  let report = new Report();
  const toShown = (stored: Newer): Older => {
    // Whether its values are those of JSON is what the readers find out.
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

/** Throws `StartRefusal` while one of the functions in `file` is missing: nothing but the compiler has asked for them. */
export function requirePair(pair: object, file: string): void {
  for (const name of ["toNewer", "toOlder"]) {
    const written: unknown = Reflect.get(pair, name);
    if (typeof written === "function") continue;
    throw new StartRefusal(`the function ${name} is missing in ${file}.`);
  }
}

/**
 * The same conversion for the items of a list. An item that is sent as another was shown is that one, wherever it stands now; of
 * the rest, each takes the place of the one that stood there.
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

/** The same conversion for a value that may be null. */
export function orNull<Stored, Shown>({
  toShown,
  toStored,
}: VersionConversion<Stored, Shown>): VersionConversion<Stored | null, Shown | null> {
  return {
    toShown: (stored) => (stored === null ? null : toShown(stored)),
    toStored: (sent, stored) => (sent === null ? null : toStored(sent, stored)),
  };
}

/** The value that is shown instead of one of another entity that is embedded. */
export function insteadOf(instead: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(instead, value) ? (instead[value] ?? value) : value;
}

/** An enum of which some values are shown as others; what is sent back as it was shown changes nothing. */
export function shownInstead<Stored extends string, Shown extends Stored>(
  instead: Readonly<Record<Exclude<Stored, Shown>, Shown>>,
): VersionConversion<Stored, Shown> {
  const others = new Map<string, Shown>(Object.entries<Shown>(instead));
  // A value without another one to be shown is one of those that can be shown.
  const toShown = (stored: Stored): Shown => others.get(stored) ?? (stored as Shown);
  return {
    toShown,
    toStored: (sent, stored) => (stored !== null && toShown(stored) === sent ? stored : sent),
  };
}

/** The same states, called in refusals as an older version shows them (VER-2). */
export function shownAs<Properties, State extends string>(
  states: StateMachine<Properties>,
  { toShown }: { readonly toShown: (state: State) => string },
): StateChecks<Properties> {
  // What is stored is one of the states of the entity.
  return states.shownAs((state) => toShown(state as State));
}

/** How an older version shows an entity of which custom code converts something (VER-2). */
export interface OlderShape<Entity> {
  readonly version: string;
  /** Throws where custom code makes what this version cannot hold. */
  readonly show: (entity: Entity) => object;
  /** The stored properties that each file of custom code converts. */
  readonly converted: Readonly<Record<string, readonly string[]>>;
}

/** A write, and the version whose client asks for it. */
interface Written<Properties> {
  readonly next: Properties;
  /** Null: it is new. */
  readonly stored: Properties | null;
  /** Null: one without conversions, or custom code. */
  readonly version: string | null;
}

/**
 * Why older versions could not show what is about to be written (VER-2), by stored names. A row that they cannot show
 * already can still be changed elsewhere. Throws `UnshownValue` where it is the writing version itself that cannot.
 */
export function unshownIssues<Entity extends Properties, Properties>(
  shapes: readonly OlderShape<Entity>[],
  { next, stored, version }: Written<Properties>,
): FieldIssue[] {
  return shapes.flatMap((shape) => {
    const { show, converted } = shape;
    const changed = (names: readonly string[]): readonly string[] =>
      names.filter((name) => !isDeepStrictEqual(valueOf(next, name), valueOf(stored, name)));
    // Of what is new, what it lacks has to be shown as well.
    const isTouched =
      stored === null || Object.values(converted).some((names) => changed(names).length > 0);
    if (!isTouched) return [];
    try {
      // The identifier and the common fields are shown as they are: nothing converts them.
      show(next as Entity);
      return [];
    } catch (error) {
      // What a version has made of its own clients' values is not their mistake.
      if (!(error instanceof UnshownValue) || shape.version === version) throw error;
      const names = converted[error.file] ?? [];
      const blamed = changed(names);
      const message = `cannot be shown in ${shape.version}: ${reasonOf(error)}`;
      return (blamed.length > 0 ? blamed : names).map((field) => ({ field, message }));
    }
  });
}

/** The same of what custom code gives to a store. Throws `OwnCodeFault`. */
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

/** Custom code makes what the older version cannot hold; `fields` are those of that version. */
class UnshownValue extends OwnCodeFault {
  constructor(
    readonly file: string,
    fields: readonly FieldIssue[],
  ) {
    super(`toOlder in ${file}`, fields);
  }
}
