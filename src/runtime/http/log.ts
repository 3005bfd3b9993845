import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { FastifyServerOptions, FastifyBaseLogger, FastifyReply } from "fastify";

import { withTimeout } from "../base/background.js";
import { ApiError } from "../base/errors.js";
import { truncate } from "../base/texts.js";
import { isHealthTarget } from "./health.js";

/** Options of pino that do not decide where the log goes. */
export type LoggerOptions = Pick<
  Exclude<FastifyServerOptions["logger"], boolean | undefined>,
  "base" | "formatters" | "messageKey" | "redact" | "serializers" | "timestamp"
>;

const STDOUT = 1;
/** Of lines that wait for a reader; what comes beyond is dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;
const FLUSH_MILLISECONDS = 1000;

/** Known to every copy of this file: several services in one process, as tests start them, have a runtime each. */
const MARK = Symbol.for("LogOutput");
const ignore = Object.assign((): void => undefined, { [MARK]: true });

/**
 * Where the log goes: stdout. A full disk, or a reader that is slow or gone, costs lines and nothing else; how many is
 * given to `report` when lines can be written again.
 */
export class LogOutput {
  private dropped = 0;
  private isTorn = false;
  private readonly stream: Socket | null;

  constructor(private readonly report: (dropped: number) => void) {
    const { stdout } = process;
    // A pipe is written to without waiting for its reader; anything else is a file, or behaves like one.
    this.stream = stdout instanceof Socket ? stdout : null;
    // Each write is told of its own error; without a listener it would end the process.
    const isHeard = this.stream?.listeners("error").some((listener) => MARK in listener);
    if (isHeard === false) this.stream?.on("error", ignore);
  }

  /** Writes a line, or drops it. */
  write(line: string): void {
    if (this.stream === null) this.writeToFile(line);
    else if (this.stream.writableLength > MOST_WAITING_BYTES) this.dropped += 1;
    else this.stream.write(line, (error) => this.settle(error ?? null));
  }

  /** Resolves when every line has left, or will not leave any more. */
  async flush(): Promise<void> {
    const { stream } = this;
    if (stream === null || stream.writableLength === 0) return;
    const written = new Promise((resolve) => stream.write("", resolve));
    await withTimeout(written, FLUSH_MILLISECONDS).catch(() => undefined);
  }

  /** At once: what is held back is lost when the process ends. */
  private writeToFile(line: string): void {
    // What could be written of an earlier line must not swallow this one.
    const bytes = Buffer.from(this.isTorn ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(STDOUT, bytes, written);
      this.isTorn = false;
      this.settle(null);
    } catch (error) {
      this.isTorn ||= written > 0;
      this.settle(error);
    }
  }

  private settle(error: unknown): void {
    if (error !== null) {
      this.dropped += 1;
      return;
    }
    const { dropped, stream } = this;
    const isBehind = stream !== null && stream.writableLength > MOST_WAITING_BYTES / 2;
    if (dropped === 0 || isBehind) return;
    this.dropped = 0;
    this.report(dropped);
  }
}

const PERIOD_MILLISECONDS = 5000;
/** Of more kinds of fault at a time the others count as one. */
const MOST_KINDS = 100;
const OTHERS = "other faults";
const MOST_IDS = 20;

/** A kind of fault that has been logged whole, and how often it came since the last line that counts it. */
interface Known {
  /** The fault without its stack. Its name is not `err`, because pino serialises that as a whole error. */
  readonly fault: { readonly type: string; readonly message: string };
  readonly firstRequestId: string;
  count: number;
  requestIds: string[];
}

/**
 * Logs what is answered with 5xx. The first fault of a kind is logged whole. Those that follow are one short line each
 * where the answer is 500, since its request id leads here (ERR-3), and a count every few seconds where it is another: a
 * database or an issuer that is down does not fill the log.
 */
export class ErrorLog {
  private readonly kinds = new Map<string, Known>();

  constructor(private readonly logger: FastifyBaseLogger) {}

  /** Logs a fault that is about to be answered with this status, and the custom code that threw it. */
  add(error: unknown, status: number, { log, request }: FastifyReply, thrownBy?: string): void {
    const isDecided = error instanceof ApiError;
    // Only the client can correct a 501, and what keeps the service from being ready has a log of its own.
    if (status === 501 || (isDecided && isHealthTarget(request.url))) return;
    const fault = summaryOf(error);
    const text = `${fault.type}: ${truncate(fault.message)}`;
    const kind = this.kinds.has(text) || this.kinds.size < MOST_KINDS ? text : OTHERS;
    const known = this.kinds.get(kind);
    if (known === undefined) {
      if (this.kinds.size === 0) this.countLater();
      this.kinds.set(kind, { fault, firstRequestId: request.id, count: 0, requestIds: [] });
      // An answer that was decided on is not a fault, and its stack says nothing.
      const route = request.routeOptions.url;
      if (isDecided) log.warn({ thrownBy, fault, status, route }, "request failed");
      else log.error({ thrownBy, err: error }, "request failed");
    } else if (status === 500) {
      const { firstRequestId } = known;
      log.error({ thrownBy, fault, firstRequestId }, "request failed, as before");
    } else {
      known.count += 1;
      if (known.count <= MOST_IDS) known.requestIds.push(request.id);
    }
  }

  /** A kind that no longer happens is forgotten, and logged whole when it comes back. */
  private countLater(): void {
    setTimeout(() => {
      for (const [kind, known] of this.kinds) {
        if (known.count === 0) this.kinds.delete(kind);
        else this.logger.error(known, "requests failed, as before");
        known.count = 0;
        known.requestIds = [];
      }
      if (this.kinds.size > 0) this.countLater();
    }, PERIOD_MILLISECONDS).unref();
  }
}

function summaryOf(error: unknown): Known["fault"] {
  if (!(error instanceof Error)) return { type: typeof error, message: "" };
  const type = error instanceof ApiError ? error.type : error.name;
  return { type: bounded(String(type)), message: bounded(String(error.message)) };
}

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
interface LoggedError {
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
function bounded(text: string, most = LONGEST): string {
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
