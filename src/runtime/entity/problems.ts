import { ApiError, type FieldIssue } from "../base/errors.js";
import { InvalidBody } from "../input/bodies.js";
import { canonicalText } from "../input/lists.js";
import { Report } from "../input/report.js";
import { type VersionConversion, items } from "./conversion.js";

/** As many as an answer lists (ERR-4). */
const MOST_UNKNOWN = 100;

/** What clients call properties that are stored under other names, by those (REP-7). */
export type PropertyNames = Readonly<Record<string, string>>;

/** A property, or something inside it: `price`, `lines[0].price`. */
export type PropertyPath<Properties> =
  | (keyof Properties & string)
  | `${keyof Properties & string}.${string}`
  | `${keyof Properties & string}[${string}`;

/** Where business rules tell what is wrong with an entity (ERR-4). */
export interface Problems<Properties> {
  /** `message` goes on after the property's name: `is over the limit`. Only the first one of each property is told. */
  add(property: PropertyPath<Properties>, message: string): void;
}

/** A rule looked at a property that could not be read: it ends there, and its problem is told already. */
class UnreadProperty extends Error {
  override readonly name = "UnreadProperty";
}

/** Asks business rules about what was read of a body, and joins what they say with what the schema says. */
export class BusinessRules<Properties> {
  private readonly report = new Report();

  private constructor(
    /** As far as it could be read. */
    readonly next: Properties,
    private readonly names: PropertyNames,
  ) {}

  /** Of a body that keeps to the schema. */
  static of<Properties>(read: Properties, names: PropertyNames): BusinessRules<Properties> {
    return new BusinessRules(read, names);
  }

  /** Of one that does not. */
  static ofInvalid<Properties>(
    { fields, read }: InvalidBody,
    names: PropertyNames,
  ): BusinessRules<Properties> {
    // A validator of the entity read it, and a version with another shape has converted it.
    const whole = read as Properties & object;
    const rules = new BusinessRules(
      withoutRefused(whole, refusedNames(fields, whole, names)),
      names,
    );
    for (const { field, message } of fields) rules.report.add(field, message);
    return rules;
  }

  /** Asks one rule. */
  async ask(rule: (problems: Problems<Properties>) => void | Promise<void>): Promise<void> {
    const { report, names } = this;
    const add = (path: string, message: string): void =>
      report.add(shownPath(path, names), message);
    try {
      await rule({ add });
    } catch (error) {
      if (!(error instanceof UnreadProperty)) throw error;
    }
  }

  /** What they have told so far. */
  get told(): readonly FieldIssue[] {
    return this.report.issues;
  }

  /** Throws 400 with all problems, if there is any. */
  finish(): void {
    this.report.throwIfAny();
  }
}

/** An error that own code threw, with its fields in the names that clients know (REP-7). */
export function inShownNames(error: unknown, names: PropertyNames): unknown {
  if (!(error instanceof ApiError) || error instanceof InvalidBody) return error;
  const { fields } = error.details;
  if (fields === undefined) return error;
  const shown = fields.map(({ field, message }): FieldIssue => {
    return { field: shownPath(field, names), message };
  });
  return new ApiError(error.status, error.type, error.message, { ...error.details, fields: shown });
}

/** Issues by stored names, in the names that clients know. Throws 400 where there is one. */
export function refuseIssues(issues: readonly FieldIssue[], names: PropertyNames): void {
  const report = new Report();
  for (const { field, message } of issues) report.add(shownPath(field, names), message);
  report.throwIfAny();
}

/** The longest part of a path that has another name counts: of `lines[0].price`, the name of `lines.price`. */
function shownPath(path: string, names: PropertyNames): string {
  const steps = path.split(".");
  for (let length = steps.length; length > 0; length -= 1) {
    const known = steps.slice(0, length);
    const name = known.map(rootOf).join(".");
    const shown = Object.hasOwn(names, name) ? names[name]?.split(".") : undefined;
    if (shown?.length !== length) continue;
    const indexed = shown.map((step, index) => `${step}${indexOf(known[index])}`);
    return [...indexed, ...steps.slice(length)].join(".");
  }
  return path;
}

/** `[0]` of `lines[0]` */
function indexOf(step = ""): string {
  return step.slice(rootOf(step).length);
}

/**
 * What is stored of the properties with an issue. Of names that the entity does not have, a client sends as many as it
 * likes: the first are enough to end a rule that goes through all properties.
 */
function refusedNames(
  fields: readonly FieldIssue[],
  read: object,
  names: PropertyNames,
): ReadonlySet<string> {
  const stored = storedNames(names);
  const refused = new Set<string>();
  const unknown = new Set<string>();
  for (const { field } of fields) {
    const shown = rootOf(field);
    const made = stored.get(shown);
    if (made !== undefined) for (const name of made) refused.add(name);
    else if (Object.hasOwn(read, shown)) refused.add(shown);
    else if (unknown.size < MOST_UNKNOWN) unknown.add(shown);
  }
  return new Set([...refused, ...unknown]);
}

/** What is stored of each property that is called otherwise: of several, where custom code converts it. */
function storedNames(names: PropertyNames): ReadonlyMap<string, readonly string[]> {
  const stored = new Map<string, string[]>();
  for (const [path, shown] of Object.entries(names)) {
    const root = rootOf(shown);
    const all = stored.get(root) ?? [];
    all.push(rootOf(path));
    stored.set(root, all);
  }
  return stored;
}

/** `lines` of `lines[0].price` */
function rootOf(path: string): string {
  const end = path.search(/[.[]/);
  return end === -1 ? path : path.slice(0, end);
}

/** The same, but that nobody can look at the properties of these names. */
function withoutRefused<Properties extends object>(
  read: Properties,
  names: ReadonlySet<string>,
): Properties {
  const shown = { ...read };
  for (const name of names) Object.defineProperty(shown, name, { get: unread, enumerable: true });
  return shown;
}

function unread(): never {
  throw new UnreadProperty();
}

/**
 * The same conversion for a list without repetitions: items that are shown as one are shown once. All that is shown as something
 * that is sent stays, where that stands; of the rest, each takes the place of what was shown there.
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
      const meant = new Map<string, Stored[]>();
      for (const one of stored) {
        const text = canonicalText(item.toShown(one));
        const others = meant.get(text);
        if (others === undefined) meant.set(text, [one]);
        else others.push(one);
      }
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
