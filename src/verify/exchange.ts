import type { IncomingHttpHeaders } from "node:http";
import { isList, isObject, parseJson, type Json, type JsonObject } from "../samples/json.js";

/** The parts of a request besides method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its type, unless `headers` give another; text and bytes go as they are, with no type. */
  readonly body?: Json | Uint8Array;
  /** Sent as it is, with no type of its own. */
  readonly text?: string;
  /** Without the `If-Match` that a change of the resource demands (OPS-10). */
  readonly isUnconditional?: boolean;
}

/** A request as a failure shows it. */
export interface RequestText {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** "" where there is none; a long one is cut. */
  readonly body: string;
}

/** An answer, read to its end and not decoded: `bytes` of a compressed one are compressed. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The value of the body; undefined if it is not JSON. */
  readonly json: Json | undefined;
}

/** A request and what was answered. */
export interface Exchange {
  readonly request: RequestText;
  readonly answer: Answer;
}

/** No answer came: the connection broke, or the service was silent for too long. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    readonly request: RequestText,
    readonly reason: string,
  ) {
    super(`${request.method} ${request.path}: ${reason}`);
  }
}

const MOST_SHOWN = 600;

/** The start of a text that is too long to be read. */
export function clipped(text: string, most = MOST_SHOWN): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

/** Makes an answer from its parts. */
export function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString("utf8");
  return { status, headers, bytes, text, json: parseJson(text) };
}

/** One header of an answer, or "". */
export function headerOf({ headers }: Answer, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

/** The elements of an error's body; [] if there are none. */
export function errorsOf({ json }: Answer): readonly JsonObject[] {
  const errors = isObject(json) ? json["errors"] : undefined;
  return isList(errors) ? errors.filter(isObject) : [];
}

/** Whether what was sent is said not to be valid: 400. */
export function isInvalid(answer: Answer): boolean {
  const [error] = errorsOf(answer);
  return answer.status === 400 && error?.["type"] === "ValidationFailedMessage";
}

/** The names in `fields` of a validation error. */
export function fieldsOf(answer: Answer): string[] {
  const fields = errorsOf(answer).flatMap((element) => {
    const list = element["fields"];
    return isList(list) ? list.filter(isObject) : [];
  });
  return fields.map(({ field }) => String(field));
}

/** The entities of a list; [] if there are none. */
export function resultsOf({ json }: Answer): readonly JsonObject[] {
  const results = isObject(json) ? json["results"] : undefined;
  return isList(results) ? results.filter(isObject) : [];
}

/** No service with this schema answers, or none that knows the caller or has time for it, so no rule can be checked. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}
