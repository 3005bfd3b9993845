import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { errorBody, serviceUnavailable, type ApiError } from "../base/errors.js";
import { JSON_CONTENT_TYPE } from "./answers.js";

/** How long a refused caller may take to read its answer before the connection is torn down. */
const LINGER_MILLISECONDS = 1000;

const RETRY_AFTER_SECONDS = 1;

/** An error to be sent without Fastify. */
export interface RawAnswer {
  readonly error: ApiError;
  readonly requestId: string;
  readonly pretty: boolean;
  /** The answer to HEAD ends with its headers (OPS-9). */
  readonly isHead?: boolean;
  /** What else it carries. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request that reaches no route, in the contract's form (ERR-1), and closes the connection. */
export function answerRefused(response: ServerResponse, answer: RawAnswer): void {
  const body = errorBody(answer.error, answer.pretty);
  response.writeHead(answer.error.status, headersOf(answer, body));
  response.end(body);
}

/** Says that the service is overloaded, and keeps the connection: to make a new one would cost more (LIM-2). */
export function answerBusy(response: ServerResponse, requestId: string, pretty: boolean): void {
  const error = serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
  const body = errorBody(error, pretty);
  response.writeHead(error.status, [
    "content-type",
    JSON_CONTENT_TYPE,
    "content-length",
    String(Buffer.byteLength(body)),
    "x-content-type-options",
    "nosniff",
    "x-request-id",
    requestId,
    "retry-after",
    String(RETRY_AFTER_SECONDS),
  ]);
  response.end(body);
}

/** Answers on a connection whose bytes are not a request (ERR-1), and closes it; what else arrives is dropped. */
export function answerSocket(socket: Duplex, answer: RawAnswer): void {
  const { status } = answer.error;
  const body = errorBody(answer.error, answer.pretty);
  const headers = Object.entries({ ...headersOf(answer, body), date: new Date().toUTCString() });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${lines}\r\n`;
  socket.end(answer.isHead === true ? head : head + body);
  // Closing at once, with bytes unread, would reset the connection and lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

function headersOf(answer: RawAnswer, body: string): Record<string, string> {
  return {
    "content-type": JSON_CONTENT_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    "x-content-type-options": "nosniff",
    "x-request-id": answer.requestId,
    connection: "close",
    ...answer.headers,
    ...answer.error.details.headers,
  };
}
