// Combines the problems that business rules and the schema find in a body.

import { ApiError, type FieldIssue } from "../base/errors.js";
import { InvalidBody } from "../input/bodies.js";
import { Report } from "../input/report.js";

/** Maximum number of unknown names, equal to that of the issues in a response (ERR-4). */
const MOST_UNKNOWN = 100;

/** The names that clients use for properties, by stored names (REP-7). */
export type PropertyNames = Readonly<Record<string, string>>;

/** A property, or something inside it: `price`, `lines[0].price`. */
export type PropertyPath<Properties> =
  | (keyof Properties & string)
  | `${keyof Properties & string}.${string}`
  | `${keyof Properties & string}[${string}`;

/** Collects the problems that business rules find in an entity (ERR-4). */
export interface Problems<Properties> {
  /** `message` follows the name of the property: `is over the limit`. Only the first problem of a property is reported. */
  add(property: PropertyPath<Properties>, message: string): void;
}

/** Ends a rule that reads a property which the schema has refused. */
class UnreadProperty extends Error {
  override readonly name = "UnreadProperty";
}

/** Runs business rules on a body, and reports their problems with those of the schema. */
export class BusinessRules<Properties> {
  private readonly report = new Report();

  private constructor(
    /** The entity. Reading a property that was refused throws. */
    readonly next: Properties,
    private readonly names: PropertyNames,
  ) {}

  /** Creates the rules of a valid body. */
  static of<Properties>(read: Properties, names: PropertyNames): BusinessRules<Properties> {
    return new BusinessRules(read, names);
  }

  /** Creates the rules of an invalid body. */
  static ofInvalid<Properties>(
    { fields, read }: Pick<InvalidBody, "fields" | "read">,
    names: PropertyNames,
  ): BusinessRules<Properties> {
    // The reader of the entity returned this value. A version with another shape has converted it.
    const whole = read as Properties & object;
    const rules = new BusinessRules(
      withoutRefused(whole, refusedNames(fields, whole, names)),
      names,
    );
    for (const { field, message } of fields) rules.report.add(field, message);
    return rules;
  }

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

  /** The problems of the schema and those that the rules have reported so far. */
  get told(): readonly FieldIssue[] {
    return this.report.issues;
  }

  /** Throws 400 with all problems if there are any. */
  finish(): void {
    this.report.throwIfAny();
  }
}

/** Renames the fields of an error of custom code to the names that clients use (REP-7). */
export function inShownNames(error: unknown, names: PropertyNames): unknown {
  if (!(error instanceof ApiError) || error instanceof InvalidBody) return error;
  const { fields } = error.details;
  if (fields === undefined) return error;
  const shown = fields.map(({ field, message }): FieldIssue => {
    return { field: shownPath(field, names), message };
  });
  return new ApiError(error.status, error.type, error.message, { ...error.details, fields: shown });
}

/** Throws 400 if there are issues, with the names that clients use instead of stored ones. */
export function refuseIssues(issues: readonly FieldIssue[], names: PropertyNames): void {
  const report = new Report();
  for (const { field, message } of issues) report.add(shownPath(field, names), message);
  report.throwIfAny();
}

/** Renames by the longest prefix that has another name: `lines[0].price` by `lines.price`. */
export function shownPath(path: string, names: PropertyNames): string {
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
 * Returns the stored names of the properties with an issue. Limits unknown names, of which a client can send any number: the
 * first ones suffice to end a rule that reads all properties.
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
    for (const name of made ?? []) refused.add(name);
    // A converted property and those that it fills have one name (VER-2).
    if (Object.hasOwn(read, shown)) refused.add(shown);
    else if (made === undefined && unknown.size < MOST_UNKNOWN) unknown.add(shown);
  }
  return new Set([...refused, ...unknown]);
}

/** Returns the stored names of each renamed property: several if it is converted. */
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

/** Copies an object so that reading a refused property throws. */
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
