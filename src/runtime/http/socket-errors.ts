/** Error responses that do not pass through Fastify: on a plain Node response, or on the bare socket. */

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import {
  errorBody,
  headersTooLarge,
  malformedRequest,
  notImplemented,
  payloadTooLarge,
  timeout,
  uriTooLong,
  type ApiError,
} from "../base/errors.js";
import type { Admission } from "./admission.js";
import type { Connections } from "./connections.js";
import { type RequestIds, originForm } from "./request.js";
import { JSON_CONTENT_TYPE } from "./response.js";
import { pathOf } from "./routes.js";
import type { Limits } from "./settings.js";
import type { VersionUse } from "./version-use.js";

/** Time for a refused client to read its response before the connection is destroyed. */
const LINGER_MILLISECONDS = 1000;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S*)( HTTP\/1\.[01]\r?(?:\n|$))?/;
const ORIGIN = /\nOrigin:[ \t]*([^\s]+)/i;

/** An error response that is sent without Fastify (ERR-1). */
interface PlainAnswer {
  readonly error: ApiError;
  readonly requestId: string;
  readonly pretty: boolean;
  /** True if the response ends with its headers, because the request was a HEAD (OPS-9). */
  readonly isHead?: boolean;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request that reaches no route. Closes the connection unless `keeps` is set. */
export function answerPlain(response: ServerResponse, answer: PlainAnswer, keeps = false): void {
  const body = errorBody(answer.error, answer.pretty);
  response.writeHead(answer.error.status, headersOf(answer, body, keeps));
  response.end(body);
}

/** Sends an error response on a connection whose bytes are not a request, closes it, and drops later bytes. */
export function answerSocket(socket: Socket, answer: PlainAnswer): void {
  const { status } = answer.error;
  const body = errorBody(answer.error, answer.pretty);
  const headers = { ...headersOf(answer, body), date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${lines.join("")}\r\n`;
  socket.end(answer.isHead === true ? head : head + body);
  // Closing at once, with unread bytes, would reset the connection and lose the response.
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

function headersOf(answer: PlainAnswer, body: string, keeps = false): Record<string, string> {
  return {
    "content-type": JSON_CONTENT_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    "x-content-type-options": "nosniff",
    "x-request-id": answer.requestId,
    ...(!keeps && { connection: "close" }),
    ...answer.headers,
    ...answer.error.details.headers,
  };
}

/** An error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that the parser was reading, which may begin in the middle of a request. */
  readonly rawPacket?: unknown;
  /** Number of bytes of `rawPacket` before the error. */
  readonly bytesParsed?: number;
}

/** Reads as much as possible of a request head that the parser rejects. */
function sentHead({ code, rawPacket, bytesParsed = 0 }: ParserError) {
  const bytes = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0);
  // Earlier requests of the connection may precede the one with an unknown method.
  const passed = bytes.subarray(0, code === "HPE_INVALID_METHOD" ? bytesParsed : 0);
  const start = passed.lastIndexOf("\n") + 1;
  const [head = ""] = bytes.toString("latin1", start).split("\r\n\r\n", 1);
  const [, method = "", target = "", end] = REQUEST_LINE.exec(head) ?? [];
  return { method: end === undefined ? null : method, target, origin: ORIGIN.exec(head)?.[1] };
}

type SentHead = ReturnType<typeof sentHead>;

function headOf({ method = "", url: target = "", headers }: IncomingMessage): SentHead {
  return { method, target, origin: headers.origin };
}

/** The dependencies of `ClientErrors`. */
export interface ClientErrorOptions {
  readonly limits: Limits;
  readonly pretty: boolean;
  readonly requestIds: RequestIds;
  /** Writes a log line at level debug. */
  readonly log: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly admission: Admission;
  /** VER-4 */
  readonly versions: VersionUse;
  /** Returns the CORS headers of a response to a page of this origin. */
  readonly originHeaders: (origin: string | undefined) => Readonly<Record<string, string>>;
}

/** Answers requests that the HTTP parser rejects or that take too long (ERR-1). Answers each socket once. */
export class ClientErrors {
  private readonly answered = new WeakSet<Socket>();

  constructor(
    private readonly options: ClientErrorOptions,
    private readonly connections: Connections,
  ) {}

  /** Handles the server's `clientError`: bytes that are not a request, or a request that never ended. */
  readonly onClientError = (error: ParserError, socket: Socket): void => {
    if (this.answered.has(socket)) return;
    const response = this.connections.of(socket)?.latest ?? null;
    const isBehind = response === null || response.req.complete;
    const isLate = !isBehind && response.headersSent;
    if (error.code === "ECONNRESET" || !socket.writable || isLate) socket.destroy();
    else if (isBehind) this.answerBehind(socket, this.answerTo(error), response);
    else this.answer(socket, this.answerTo(error, response.req));
  };

  /** Refuses bytes that follow the requests of a connection, and closes it. */
  refuse(socket: Socket, error: ApiError, requestId: string): void {
    const { pretty } = this.options;
    const last = this.connections.of(socket)?.latest ?? null;
    this.answerBehind(socket, { error, requestId, pretty }, last);
  }

  /** Handles the server's `timeout`: no byte has moved on the connection for too long. */
  readonly onTimeout = (socket: Socket): void => {
    const response = this.connections.of(socket)?.current ?? null;
    const isWaiting = response !== null && !response.headersSent && response.req.complete;
    if (!isWaiting || this.answered.has(socket)) {
      socket.destroy();
      return;
    }
    const { pretty, requestIds, admission, warn } = this.options;
    const { method, url = "" } = response.req;
    const requestId = admission.idOf(response) ?? requestIds(response.req);
    warn({ requestId, method, path: pathOf(url) }, "no response in time: 504");
    this.answer(socket, { error: timeout(504, requestId), requestId, pretty });
  };

  /** Builds the error response, with the headers of its version (VER-4) and origin if the head is readable. */
  private answerTo(error: ParserError, request?: IncomingMessage): PlainAnswer {
    const { pretty, requestIds, versions, originHeaders } = this.options;
    const head = request === undefined ? sentHead(error) : headOf(request);
    const target = originForm(head.target);
    const requestId = requestIds(request);
    const refusal = this.refusalOf(error, head, requestId);
    const gone = refusal.status === 501 ? versions.retirement(target) : null;
    const headers = {
      ...Object.fromEntries(versions.headersFor(target)),
      ...originHeaders(head.origin),
    };
    return { error: gone ?? refusal, requestId, pretty, headers };
  }

  /** ERR-2 */
  private refusalOf(
    { code }: ParserError,
    { method, target }: SentHead,
    requestId: string,
  ): ApiError {
    const { urlBytes, headerBytes, bodyBytes } = this.options.limits;
    switch (code) {
      case "ERR_HTTP_REQUEST_TIMEOUT":
        return timeout(408);
      case "HPE_HEADER_OVERFLOW":
        return target.length > urlBytes ? uriTooLong(urlBytes) : headersTooLarge(headerBytes);
      case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
        return payloadTooLarge(bodyBytes);
      case "HPE_INVALID_METHOD":
        if (method !== null) return notImplemented(method, [], requestId);
        return malformedRequest("The request line is malformed.");
      default:
        return malformedRequest("The bytes received are not a request of HTTP/1.1.");
    }
  }

  /** Answers bytes that follow a complete request, after the response to that request. */
  private answerBehind(socket: Socket, answer: PlainAnswer, last: ServerResponse | null): void {
    if (last === null || last.writableFinished) {
      this.answer(socket, answer);
      return;
    }
    this.answered.add(socket);
    last.once("finish", () => this.answer(socket, answer));
  }

  private answer(socket: Socket, answer: PlainAnswer): void {
    this.answered.add(socket);
    this.options.log({ requestId: answer.requestId, status: answer.error.status }, "refused");
    answerSocket(socket, answer);
  }
}
