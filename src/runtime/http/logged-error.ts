/** A caller chooses how long some texts are: of each, the log keeps this many characters. */
const MESSAGE = 2000;
const STACK = 8000;
const PROPERTY = 1000;
/** The bounds of one error, and of the chain of its causes. */
const MOST_PROPERTIES = 20;
const MOST_ERRORS = 4;

/** An error in a line of the log. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [property: string]: unknown;
}

/** The beginning of a text, with the number of characters that it had. */
export function bounded(text: string, most = MESSAGE): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (cut, ${text.length} characters)`;
}

/** What the log says of anything that was thrown: of a bounded length, and without a change of the error. */
export function loggedError(error: unknown): LoggedError {
  try {
    if (error instanceof Error) return described(error);
    return { type: typeof error, message: String(short(error)), stack: "" };
  } catch {
    return { type: "unreadable", message: "The thrown value cannot be read.", stack: "" };
  }
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

function described(error: Error): LoggedError {
  const all = withCauses(error);
  const own = Object.keys(error).filter((name) => !["message", "stack", "cause"].includes(name));
  const properties = own.slice(0, MOST_PROPERTIES).map((name) => {
    return [bounded(name, PROPERTY), valueOf(error, name)] as const;
  });
  const last = properties.length < own.length ? { more: `${own.length} properties, cut` } : {};
  return {
    type: bounded(String(error.constructor.name), PROPERTY),
    message: all.map(({ message }) => bounded(String(message))).join(": "),
    stack: all.map(stackOf).join("\ncaused by: "),
    ...Object.fromEntries(properties),
    ...last,
  };
}

/** One property that cannot be read costs the log nothing else. */
function valueOf(error: Error, name: string): unknown {
  try {
    return short(Reflect.get(error, name));
  } catch {
    return "unreadable";
  }
}

function withCauses(error: Error): readonly Error[] {
  const all = [error];
  for (let { cause } = error; cause instanceof Error && all.length < MOST_ERRORS; { cause } = cause)
    all.push(cause);
  return all;
}

/** A long message leaves room for the lines of the stack that follow it. */
function stackOf({ message, stack = "" }: Error): string {
  const text = String(message);
  return bounded(
    String(stack).replace(text, () => bounded(text)),
    STACK,
  );
}

/** A value as it is where it is short, and else the beginning of its text. */
function short(value: unknown): unknown {
  if (typeof value === "string") return bounded(value, PROPERTY);
  if (typeof value !== "object" || value === null) return value;
  // `toJSON` may give nothing, whatever the type says.
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length <= PROPERTY ? value : bounded(text, PROPERTY);
}
