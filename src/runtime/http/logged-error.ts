/** Of a text of the error itself, and of a property or an error inside of it; a caller chooses how long some are. */
const LONGEST = 4000;
const LONGEST_INSIDE = 1000;
const LONGEST_NAME = 100;
/** Of a list, and of the properties of an object. */
const MOST_ITEMS = 20;
const MOST_CAUSES = 4;
const DEEPEST = 5;
/** Of the JSON of an error, and of each of its properties. */
const MOST_BYTES = 128 * 1024;
const MOST_BYTES_OF_PROPERTY = 2000;
/** What a value takes next to its text: a number, or the quotes and commas. */
const BYTES_OF_VALUE = 30;
const UNREADABLE = "unreadable";

/** An error in a line of the log. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [property: string]: unknown;
}

/** What the log says of anything that was thrown: of a bounded length, and without a change of the error. */
export function loggedError(error: unknown): LoggedError {
  const copy = new BoundedCopy();
  try {
    if (error instanceof Error) return copy.ofError(error, 0);
    const value = copy.of(() => error, 0);
    const text = String(typeof value === "object" ? JSON.stringify(value) : value);
    return { type: typeof error, message: bounded(text), stack: "" };
  } catch {
    return { type: UNREADABLE, message: "The thrown value cannot be read.", stack: "" };
  }
}

/** The message of a line: that of the error, where custom code gives the log nothing but an error. */
export function loggedMessage(message: unknown): unknown {
  return typeof message === "string" ? bounded(message) : message;
}

/** How lines of the log show errors; a serializer of the service's own that fails costs nothing but its form. */
export function errorSerializer(own: (error: never) => unknown = loggedError) {
  return (error: unknown): LoggedError => {
    try {
      return own(error as never) as LoggedError;
    } catch {
      return loggedError(error);
    }
  };
}

/** A long text as its beginning and its end, where a stack has its lines, with the number of its characters. */
export function bounded(text: string, most = LONGEST): string {
  if (text.length <= most) return text;
  const half = most / 2;
  return `${text.slice(0, half)}… (cut, ${text.length} characters) …${text.slice(-half)}`;
}

/** Copies a value as JSON has it, errors and their causes included; however large it is, little of it is read. */
class BoundedCopy {
  private left = MOST_BYTES;

  /** What cannot be read costs the line nothing else. */
  of(read: () => unknown, depth: number, most = MOST_BYTES): unknown {
    const kept = Math.max(0, this.left - most);
    this.left -= kept + BYTES_OF_VALUE;
    try {
      return this.left < 0 ? "…" : this.ofValue(read(), depth);
    } catch {
      return UNREADABLE;
    } finally {
      this.left += kept;
    }
  }

  ofError(error: Error, depth: number): LoggedError {
    const chain = withCauses(error);
    const shown = chain.slice(0, MOST_CAUSES + 1);
    const textsOf = (name: string): string[] =>
      shown.map((one) => String(this.of(() => Reflect.get(one, name), depth) ?? ""));
    // Those of a cause tell as much: fetch has its refused connections there.
    const listed = (): unknown =>
      shown.map((one): unknown => Reflect.get(one, "errors")).find(Boolean);
    return {
      type: String(this.of(() => error.constructor.name, depth)),
      message: textsOf("message").join(": ") + (chain.length > shown.length ? ": …" : ""),
      stack: textsOf("stack").join("\ncaused by: "),
      ...this.ofObject(error, depth, ["message", "stack", "cause", "errors"]),
      errors: this.of(listed, depth + 1),
    };
  }

  private ofValue(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.ofText(value, depth);
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
    if (depth > DEEPEST) return Array.isArray(value) ? "[Array]" : "[Object]";
    if (value instanceof Error) return this.ofError(value, depth);
    if ("toJSON" in value && typeof value.toJSON === "function") {
      const { toJSON } = value;
      return this.of(() => toJSON.call(value), depth + 1);
    }
    return Array.isArray(value) ? this.ofList(value, depth) : this.ofObject(value, depth);
  }

  private ofText(text: string, depth: number): string {
    const shown = bounded(text, depth === 0 ? LONGEST : LONGEST_INSIDE);
    this.left -= Buffer.byteLength(JSON.stringify(shown));
    return shown;
  }

  private ofList(list: readonly unknown[], depth: number): readonly unknown[] {
    const { length } = list;
    const shown = Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, index) =>
      this.of(() => list[index], depth + 1),
    );
    return length > MOST_ITEMS ? [...shown, `… (cut, ${length} items)`] : shown;
  }

  private ofObject(object: object, depth: number, hidden: readonly string[] = []): object {
    const names = Object.keys(object).filter((name) => !hidden.includes(name));
    const shown: [string, unknown][] = [];
    for (const name of names.slice(0, MOST_ITEMS)) {
      if (this.left < 0) break;
      const value = this.of(() => Reflect.get(object, name), depth + 1, MOST_BYTES_OF_PROPERTY);
      shown.push([this.ofText(bounded(name, LONGEST_NAME), 1), value]);
    }
    if (names.length > MOST_ITEMS) shown.push(["more", `${names.length} properties, cut`]);
    return Object.fromEntries(shown);
  }
}

/** An error and its causes, each once; one more than are shown. */
function withCauses(error: Error): readonly Error[] {
  const chain = [error];
  try {
    let { cause } = error;
    while (cause instanceof Error && !chain.includes(cause) && chain.length < MOST_CAUSES + 2) {
      chain.push(cause);
      ({ cause } = cause);
    }
  } catch {
    // Those that can be read are shown.
  }
  return chain;
}
