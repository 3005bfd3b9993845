import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { FastifyServerOptions, FastifyBaseLogger, FastifyReply } from "fastify";

import { withTimeout } from "../base/background.js";
import { ApiError } from "../base/errors.js";
import { truncate } from "../base/texts.js";
import type { Stopwatch } from "../base/time.js";
import { isHealthTarget } from "./health.js";

/** Options of pino except those that choose the output. */
export type LoggerOptions = Pick<
  Exclude<FastifyServerOptions["logger"], boolean | undefined>,
  "base" | "formatters" | "messageKey" | "redact" | "serializers" | "timestamp"
>;

const STDOUT = 1;
/** Bytes of lines that wait for a reader. Lines beyond that are dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;
const FLUSH_MILLISECONDS = 1000;

/** Shared by all copies of this file, because tests run several services with their own runtimes in one process. */
const MARK = Symbol.for("LogOutput");
const ignore = Object.assign((): void => undefined, { [MARK]: true });

/**
 * Writes the log to stdout. Drops lines if the disk is full or the reader is slow or gone, and later passes their number to
 * `report`.
 */
export class LogOutput {
  private dropped = 0;
  private isTorn = false;
  private readonly stream: Socket | null;

  constructor(private readonly report: (dropped: number) => void) {
    const { stdout } = process;
    // A write to a pipe does not wait for its reader. Any other output is a file, or behaves like one.
    this.stream = stdout instanceof Socket ? stdout : null;
    // Each write has a callback for its error, but without a listener the error would end the process.
    const isHeard = this.stream?.listeners("error").some((listener) => MARK in listener);
    if (isHeard === false) this.stream?.on("error", ignore);
  }

  /** Writes a line, or drops it. */
  write(line: string): void {
    if (this.stream === null) this.writeToFile(line);
    else if (this.stream.writableLength > MOST_WAITING_BYTES) this.dropped += 1;
    else this.stream.write(line, (error) => this.settle(error ?? null));
  }

  /** Resolves when every line has been written, or after a second. */
  async flush(): Promise<void> {
    const { stream } = this;
    if (stream === null || stream.writableLength === 0) return;
    const written = new Promise((resolve) => stream.write("", resolve));
    await withTimeout(written, FLUSH_MILLISECONDS).catch(() => undefined);
  }

  /** Writes synchronously, because buffered lines would be lost at the end of the process. */
  private writeToFile(line: string): void {
    // An earlier line may be incomplete, so this one starts on a new line.
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
/** Maximum number of fault kinds at a time. Further kinds share one counter. */
const MOST_KINDS = 100;
const OTHERS = "other faults";
const MOST_IDS = 20;

/** A kind of fault that has been logged in full, and its count since the last line that reports it. */
interface Known {
  /** The fault without its stack. The property is not called `err`, because pino serialises `err` as a whole error. */
  readonly fault: { readonly type: string; readonly message: string };
  readonly firstRequestId: string;
  count: number;
  requestIds: string[];
}

/**
 * Logs responses of 5xx. The first fault of a kind is logged in full. After that, each 500 has a short line, because its
 * response refers to the log (ERR-3). Other statuses are counted, and the counts are logged every few seconds, so that a
 * failing database does not fill the log.
 */
export class ErrorLog {
  private readonly kinds = new Map<string, Known>();

  constructor(private readonly logger: FastifyBaseLogger) {}

  /** Logs or counts a fault before its response. `thrownBy` names the custom code that threw it. */
  add(error: unknown, status: number, { log, request }: FastifyReply, thrownBy?: string): void {
    const isDecided = error instanceof ApiError;
    // A 501 is deliberate: the method is unknown, or the action is not written yet. Failures of readiness have their own lines.
    if (status === 501 || (isDecided && isHealthTarget(request.url))) return;
    const fault = summaryOf(error);
    const text = `${fault.type}: ${truncate(fault.message)}`;
    const kind = this.kinds.has(text) || this.kinds.size < MOST_KINDS ? text : OTHERS;
    const known = this.kinds.get(kind);
    if (known === undefined) {
      if (this.kinds.size === 0) this.countLater();
      this.kinds.set(kind, { fault, firstRequestId: request.id, count: 0, requestIds: [] });
      // A deliberate error response is not a fault, and its stack is useless.
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

  /** Logs the counts after a few seconds. A kind without a count is removed, and logged in full next time. */
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

/** Characters of the error's own strings. Callers control the length of some of them. */
const LONGEST = 4000;
const LONGEST_INSIDE = 1000;
const LONGEST_NAME = 100;
/** Items of a list, and properties of an object. */
const MOST_ITEMS = 20;
const MOST_CAUSES = 4;
const DEEPEST = 5;
/** Bytes of the JSON of an error. */
const MOST_BYTES = 128 * 1024;
const MOST_BYTES_OF_PROPERTY = 2000;
/** Estimated bytes of a value besides its text: a number, or quotes and commas. */
const BYTES_OF_VALUE = 30;
const UNREADABLE = "unreadable";

/** An error as the log shows it. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly [property: string]: unknown;
}

/** Returns the log entry of any thrown value, with a bounded length. Does not change the value. */
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

/** Shortens the message of a log line, which is an error's own message if custom code logs only an error. */
export function loggedMessage(message: unknown): unknown {
  return typeof message === "string" ? bounded(message) : message;
}

/** Returns pino's serializer for errors. If a custom serializer throws, the default one is used. */
export function errorSerializer(own: (error: never) => unknown = loggedError) {
  return (error: unknown): LoggedError => {
    try {
      return own(error as never) as LoggedError;
    } catch {
      return loggedError(error);
    }
  };
}

/** Shortens a long text to its beginning and its end, where a stack has its lines, and adds its length. */
function bounded(text: string, most = LONGEST): string {
  if (text.length <= most) return text;
  const half = most / 2;
  return `${text.slice(0, half)}… (cut, ${text.length} characters) …${text.slice(-half)}`;
}

/** Copies a value as JSON does, with errors and their causes. Reads only a bounded part of it. */
class BoundedCopy {
  private left = MOST_BYTES;

  /** Copies one value. If a getter throws, only this value is lost. */
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
    // The `errors` of a cause count as well: fetch reports its refused connections there.
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

/** Returns an error and its distinct causes, up to one more than the log shows. */
function withCauses(error: Error): readonly Error[] {
  const chain = [error];
  try {
    let { cause } = error;
    while (cause instanceof Error && !chain.includes(cause) && chain.length < MOST_CAUSES + 2) {
      chain.push(cause);
      ({ cause } = cause);
    }
  } catch {
    // Only the readable causes are shown.
  }
  return chain;
}

/** Minimum time between equal warnings, because every request can meet the same mistake of custom code. */
const QUIET_MILLISECONDS = 60_000;

/** Limits equal warnings to one a minute. */
export class Warnings {
  private readonly loggedAt = new Map<string, number>();

  constructor(private readonly elapsed: Stopwatch) {}

  /** Reports whether to log a warning now. Every `text` is kept in memory, so it must not contain values of a request. */
  isDue(text: string): boolean {
    const now = this.elapsed();
    const last = this.loggedAt.get(text);
    if (last !== undefined && now - last < QUIET_MILLISECONDS) return false;
    this.loggedAt.set(text, now);
    return true;
  }
}
