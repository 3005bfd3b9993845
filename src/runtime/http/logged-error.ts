import { bounded, shortValue } from "./short-value.js";

/** How much of one error the log keeps, its lengths in characters: a caller chooses how long some texts are. */
interface Bounds {
  readonly message: number;
  readonly stack: number;
  /** The name of a property, and its value. */
  readonly property: number;
  readonly properties: number;
  /** Of `errors`, such as an AggregateError has. */
  readonly errors: number;
}

const WHOLE: Bounds = { message: 2000, stack: 8000, property: 1000, properties: 20, errors: 20 };
/** Those of an error that another one has in its `errors`. */
const LISTED: Bounds = { message: 500, stack: 1000, property: 200, properties: 5, errors: 4 };
/** Of all lists of `errors` together. */
const MOST_LISTED = 20;
/** Of each error. */
const MOST_CAUSES = 4;
/** Further causes are not counted: each can make the next one. */
const MOST_COUNTED = 100;

/** Of the message of a line, in characters. */
const LINE = 8000;

const SHOWN = ["message", "stack", "cause"];
const UNREADABLE = "unreadable";

/** An error in a line of the log. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [property: string]: unknown;
}

/** What one line has of `errors` so far: how many there is room for, and those that need not be there twice. */
interface Listed {
  left: number;
  readonly seen: Set<unknown>;
}

/** What the log says of anything that was thrown: of a bounded length, and without a change of the error. */
export function loggedError(error: unknown): LoggedError {
  return loggedWithin(WHOLE, error, { left: MOST_LISTED, seen: new Set() });
}

/** The message of a line: that of the error, where custom code gives the log nothing but an error. */
export function loggedMessage(message: unknown): unknown {
  return typeof message === "string" ? bounded(message, LINE) : message;
}

/** How lines of the log show errors; a serializer of the service's own that fails costs nothing but its form. */
export function errorSerializer(
  own: ((error: never) => unknown) | undefined,
): (error: unknown) => LoggedError {
  if (own === undefined) return loggedError;
  const serialize = own as (error: unknown) => LoggedError;
  return (error) => {
    try {
      return serialize(error);
    } catch {
      return loggedError(error);
    }
  };
}

function loggedWithin(bounds: Bounds, error: unknown, listed: Listed): LoggedError {
  try {
    if (error instanceof Error) return described(bounds, error, listed);
    return { type: typeof error, message: textOf(error, bounds), stack: "" };
  } catch {
    return { type: UNREADABLE, message: "The thrown value cannot be read.", stack: "" };
  }
}

function described(bounds: Bounds, error: Error, listed: Listed): LoggedError {
  const chain = withCauses(error);
  const causes = chain.length - 1;
  const shown = chain.slice(0, MOST_CAUSES + 1);
  for (const one of shown) listed.seen.add(one);
  const lists = shown.map((one) => errorsOf(one, bounds.errors));
  const hidden = lists[0] === null ? SHOWN : [...SHOWN, "errors"];
  const own = Object.keys(error).filter((name) => !hidden.includes(name));
  const properties = own.slice(0, bounds.properties).map((name) => {
    return [bounded(name, bounds.property), valueOf(error, name, bounds)] as const;
  });
  return {
    type: orUnreadable(() => bounded(String(error.constructor.name), bounds.property)),
    message: shown.map((one) => orUnreadable(() => messageOf(one, bounds))).join(": "),
    stack: shown.map((one) => orUnreadable(() => stackOf(one, bounds))).join("\ncaused by: "),
    ...Object.fromEntries(properties),
    ...(properties.length < own.length && { more: `${own.length} properties, cut` }),
    ...(causes > MOST_CAUSES && {
      causeCount: causes < MOST_COUNTED ? causes : `${MOST_COUNTED} or more`,
    }),
    ...listedErrors(lists, listed),
  };
}

/** An error and its causes, each once. */
function withCauses(error: Error): readonly Error[] {
  const chain = new Set([error]);
  // What is added to a set meanwhile is visited as well.
  for (const one of chain) {
    const cause = orUnreadable(() => causeOf(one));
    if (typeof cause === "object" && chain.size <= MOST_COUNTED) chain.add(cause);
  }
  return [...chain];
}

function causeOf({ cause }: Error): Error | undefined {
  return cause instanceof Error ? cause : undefined;
}

/** A list of errors: the first of them, and how many it has. */
interface ErrorList {
  readonly first: readonly unknown[];
  readonly length: number;
}

/** The `errors` that an AggregateError has, and others have as well; null: they are no list. */
function errorsOf(error: Error, most: number): ErrorList | null {
  try {
    const list: unknown = Reflect.get(error, "errors");
    if (!Array.isArray(list)) return null;
    const length = Number(list.length);
    const shown = Array.from({ length: Math.min(most, length) }, (_, index) => index);
    return { first: shown.map((index) => orUnreadable((): unknown => list[index])), length };
  } catch {
    return null;
  }
}

function listedErrors(
  lists: readonly (ErrorList | null)[],
  listed: Listed,
): { readonly errors?: readonly unknown[]; readonly errorCount?: number } {
  const some = lists.filter((list) => list !== null);
  if (some.length === 0) return {};
  return {
    errors: some.flatMap(({ first }) => first).flatMap((one) => listedError(one, listed)),
    errorCount: some.reduce((sum, { length }) => sum + length, 0),
  };
}

/** One of them, where there is room and this line does not have it yet. */
function listedError(one: unknown, listed: Listed): readonly unknown[] {
  if (listed.left === 0 || listed.seen.has(one)) return [];
  listed.left -= 1;
  const isError = orUnreadable(() => one instanceof Error);
  if (isError !== false) return [loggedWithin(LISTED, one, listed)];
  return [orUnreadable(() => shortValue(one, LISTED.message))];
}

/** One property that cannot be read costs the log nothing else. */
function valueOf(error: Error, name: string, { property }: Bounds): unknown {
  return orUnreadable(() => shortValue(Reflect.get(error, name), property));
}

function orUnreadable<T>(read: () => T): T | typeof UNREADABLE {
  try {
    return read();
  } catch {
    return UNREADABLE;
  }
}

function messageOf(error: Error, bounds: Bounds): string {
  return bounded(textOf(error.message, bounds), bounds.message);
}

/** A long message leaves room for the lines of the stack that follow it. */
function stackOf(error: Error, bounds: Bounds): string {
  const message = textOf(error.message, bounds);
  const stack = textOf(error.stack ?? "", bounds);
  if (message.length <= bounds.message) return bounded(stack, bounds.stack);
  // It follows the name; to look for all of it costs as much as it is long.
  const start = message.slice(0, bounds.message);
  const at = stack.slice(0, bounds.stack).indexOf(start);
  if (at === -1) return bounded(stack, bounds.stack);
  const after = stack.slice(at + message.length);
  return bounded(`${stack.slice(0, at)}${bounded(message, bounds.message)}${after}`, bounds.stack);
}

/** What should be a text: anything can be assigned to the properties of an error. */
function textOf(value: unknown, { property }: Bounds): string {
  return typeof value === "string" ? value : String(shortValue(value, property));
}
