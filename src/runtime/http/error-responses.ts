/**
 * Turns errors into responses (ERR-1, ERR-3), on Fastify's replies and on bare sockets. A 503 (LIM-2) has one of these causes:
 * - the process is overloaded: admission.ts refuses an arrival, or a request that finds the queue full or waits in it for too
 *   long; body.ts refuses a body, and response.ts one more large response while clients do not read the others;
 * - `StorageUnavailable`: the database is busy, full, read-only or gone, a newer release has migrated it (store/releases.ts),
 *   or an entity stayed locked for too long (store/locks.ts);
 * - a change conflicted with other requests in every attempt (entity/transaction.ts);
 * - `KeysUnavailable` or `AuthenticationBusy`: tokens cannot be checked now (auth/bearer.ts);
 * - `/readyz` reports a missing dependency, or the service stops (health.ts);
 * - a plugin threw an error with `statusCode: 503`, or custom code an `ApiError` with status 503.
 */
import {
  validateHeaderName,
  validateHeaderValue,
  STATUS_CODES,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { AuthenticationBusy, KeysUnavailable } from "../auth/authentication.js";
import { throwerOf } from "../base/custom-code.js";
import {
  internalError,
  ApiError,
  type ErrorDetails,
  type FieldIssue,
  ERROR_TYPES,
  type ErrorType,
  malformedRequest,
  pageTooLarge,
  payloadTooLarge,
  requestOf,
  serviceUnavailable,
  timeout,
  unsupportedMediaType,
  errorBody,
  headersTooLarge,
  notImplemented,
  uriTooLong,
} from "../base/errors.js";
import {
  RecipientGone,
  ResultTooLarge,
  StatementTimeout,
  StorageUnavailable,
} from "../store/database.js";
import type { Admission } from "./admission.js";
import type { Connections } from "./connections.js";
import type { VersionUsage } from "./deprecation.js";
import { ErrorLog } from "./log.js";
import { type RequestIds, originForm } from "./request.js";
import { addCommonHeaders, sendError, JSON_CONTENT_TYPE } from "./response.js";
import { pathOf } from "./routes.js";
import type { ServiceSettings, Limits } from "./settings.js";

/** Error codes of Node for headers that cannot be sent. */
const HEADER_FAULTS: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
]);

/** Headers of the original response that do not apply to the error that replaces it. */
const OF_ANOTHER_ANSWER = [
  ...["accept-ranges", "cache-control", "content-disposition", "content-encoding"],
  ...["content-language", "content-range", "etag", "last-modified", "location"],
  ...["retry-after", "transfer-encoding"],
];

/** Replies with an error in place of the response. They skip the `onSend` hooks of plugins, which would fail again. */
const unsendable = new WeakSet<FastifyReply>();

/** Reports whether an error replaces another response. */
export function isUnsendable(reply: FastifyReply): boolean {
  return unsendable.has(reply);
}

/** Sends errors of all kinds in the contract's form (ERR-1), and passes those with a status of 5xx to the log (ERR-3). */
export class Refusals {
  private readonly faults: ErrorLog;

  constructor(
    private readonly settings: ServiceSettings,
    private readonly logger: FastifyBaseLogger,
  ) {
    this.faults = new ErrorLog(logger);
  }

  /** Sends an error of the runtime or of custom code. Never throws. */
  readonly send = (reply: FastifyReply, error: unknown): void => {
    try {
      const isCustomCode = throwerOf(error) !== undefined;
      this.answer(reply, isCustomCode ? readableError(error) : error, {
        thrown: error,
        isCustomCode,
      });
    } catch (fault) {
      this.sendPlain(reply, fault);
    }
  };

  /** Sends an error that reached Fastify, from the runtime or from a plugin. Never throws. */
  readonly sendAny = (reply: FastifyReply, error: unknown): void => {
    unsendable.add(reply);
    try {
      // A plugin can reject a response whose headers are already set.
      for (const name of OF_ANOTHER_ANSWER) reply.removeHeader(name);
      // Another attempt would fail on the same header, which a plugin has set.
      if (HEADER_FAULTS.has(codeOf(error))) this.sendPlain(reply, error);
      else this.answer(reply, readableError(error), { thrown: error, isCustomCode: false });
    } catch (fault) {
      this.sendPlain(reply, fault);
    }
  };

  private answer(
    reply: FastifyReply,
    error: unknown,
    { thrown, isCustomCode }: { readonly thrown: unknown; readonly isCustomCode: boolean },
  ): void {
    const { limits, pretty } = this.settings;
    const { id } = reply.request;
    const known = toApiError(error, id, { limits, isCustomCode });
    if (known.status >= 500) this.faults.add(error, known.status, reply, throwerOf(thrown));
    // Some errors occur before the hook that sets these headers.
    addCommonHeaders(reply);
    // Fastify closes the connection after a refused body, which would reset it before the client reads the response. Instead,
    // `unreadBodyBound` in body.ts drops the rest of the body.
    const isBodyRefused = known.status === 413 || known.status === 503;
    if (isBodyRefused && reply.raw.shouldKeepAlive) reply.removeHeader("connection");
    sendError(reply, known, { pretty, fail: this.sendPlain });
  }

  /**
   * Logs a fault, and sends 500 on the socket, because the response object may be half-written. If the headers have been sent,
   * only closes the connection.
   */
  readonly sendPlain = ({ raw, request }: FastifyReply, fault: unknown): void => {
    const { id } = request;
    this.logger.error({ err: fault, requestId: id }, "a response could not be sent");
    if (raw.headersSent || raw.socket === null) {
      raw.destroy();
      return;
    }
    const { pretty } = this.settings;
    const isHead = request.method === "HEAD";
    sendOnSocket(raw.socket, { error: internalError(id), requestId: id, pretty, isHead });
  };
}

/** Headers that frame a response or encode its body. Only the server sets them. */
const FRAMING = new Set([
  ...["connection", "content-encoding", "content-length", "content-type", "keep-alive"],
  ...["trailer", "transfer-encoding", "upgrade"],
]);
/** Properties that are read later. A getter may throw. */
const READ = ["name", "message", "stack", "code", "statusCode", "cause"];
const WHAT_TO_DO =
  "Throw an ApiError with a status from 400 to 599 and strings in all other fields.";

/** A thrown error that cannot be sent as it is. The response is 500, and the log has the reason. */
class UnusableError extends Error {
  override readonly name = "UnusableError";
}

/**
 * Prepares a thrown value for the response and the log: copies an `ApiError`, and returns an `UnusableError` if a field is
 * invalid or a getter throws.
 */
function readableError(error: unknown): unknown {
  try {
    if (error instanceof ApiError) return checked(error);
    if (!(error instanceof Error)) return error;
    for (const name of READ) Reflect.get(error, name);
    return error;
  } catch (fault) {
    const code = throwerOf(error) ?? "src/app.ts";
    const reason = fault instanceof UnusableError ? fault.message : "It fails when it is read.";
    return new UnusableError(
      `The error that ${code} threw cannot be sent as a response. ${reason}`,
      { cause: error },
    );
  }
}

function checked(error: ApiError): ApiError {
  const { status, type, message, details } = error;
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new UnusableError(`Its status is ${String(status)}. ${WHAT_TO_DO}`);
  return new ApiError(status, text("type", type), text("message", message), {
    ...(details.description !== undefined && {
      description: text("description", details.description),
    }),
    ...(details.fields !== undefined && { fields: fieldsOf(details.fields) }),
    ...(details.headers !== undefined && { headers: sendableHeaders(details.headers) }),
  });
}

function fieldsOf(fields: readonly FieldIssue[]): readonly FieldIssue[] {
  return [...fields].map(({ field, message }) => {
    return { field: text("fields.field", field), message: text("fields.message", message) };
  });
}

/** Checks that Node can send the headers, which may contain a client's text, and that the server does not set them itself. */
function sendableHeaders(
  headers: Readonly<Record<string, string>>,
): ErrorDetails["headers"] & object {
  const entries = Object.entries(headers).map(([name, value]): readonly [string, string] => {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, text(name, value));
    } catch {
      throw new UnusableError(
        `Its header "${name}" has a name or a value that HTTP cannot send: encode the value with encodeURIComponent.`,
      );
    }
    if (!FRAMING.has(name.toLowerCase())) return [name, value];
    throw new UnusableError(`Its header "${name}" is set by the server: leave it out.`);
  });
  return Object.fromEntries(entries);
}

function text(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw new UnusableError(`Its ${name} is not a string. ${WHAT_TO_DO}`);
}

/** Temporary failures: a later retry may succeed. */
const UNAVAILABLE = [StorageUnavailable, KeysUnavailable, AuthenticationBusy];
/** Never read, because the client has disconnected. */
const ENDED_EARLY = "The request ended early.";

/** Context of the conversion of an error to a response. */
interface ErrorContext {
  readonly limits: Limits;
  /** True if a hook or another custom function threw. Otherwise the `code` and `statusCode` of the error count. */
  readonly isCustomCode?: boolean;
}

/** Returns the contract's error for any thrown value, without internal details (ERR-3). */
export function toApiError(
  error: unknown,
  requestId: string,
  { limits, isCustomCode = false }: ErrorContext,
): ApiError {
  if (error instanceof ApiError) return withRequestId(error, requestId);
  if (error instanceof StatementTimeout) return timeout(504, requestId);
  if (UNAVAILABLE.some((kind) => error instanceof kind)) return serviceUnavailable(requestId);
  if (error instanceof RecipientGone) return malformedRequest(ENDED_EARLY);
  if (error instanceof ResultTooLarge) return pageTooLarge(error.mostBytes);
  // Errors of libraries that custom code calls have codes and statuses that say nothing about this request.
  if (isCustomCode) return internalError(requestId);
  switch (codeOf(error)) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return payloadTooLarge(limits.bodyBytes);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return unsupportedMediaType(["application/json"]);
    case "ECONNRESET":
      return malformedRequest(ENDED_EARLY);
    default:
      return byStatus(statusOf(error), requestId);
  }
}

/** Adds the request id to a 5xx error that lacks it, so that the error can be found in the log (ERR-3). */
function withRequestId(error: ApiError, requestId: string): ApiError {
  const { status, type, message, details } = error;
  const { description = "" } = details;
  if (status < 500 || description.includes(requestId)) return error;
  const extended = `${description} ${requestOf(requestId)}`.trim();
  return new ApiError(status, type, message, { ...details, description: extended });
}

/** Returns the contract's error for the status of a plugin's error, whose message is not part of the contract. */
function byStatus(status: number, requestId: string): ApiError {
  if (status === 503) return serviceUnavailable(requestId);
  if (status < 400 || status >= 500) return internalError(requestId);
  const known = Object.values<ErrorType>(ERROR_TYPES).find(
    (row) => row.status === status && status !== 400 && !row.type.includes("<"),
  );
  if (known === undefined) return malformedRequest("The request was refused.");
  return new ApiError(known.status, known.type, known.message);
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !("statusCode" in error)) return 500;
  return Number.isInteger(error.statusCode) ? Number(error.statusCode) : 500;
}

/** Returns the `code` of an error of Node or Fastify, if it has one. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Error responses that do not pass through Fastify: on a plain Node response, or on the bare socket. */

/** Time for a refused client to read its response before the connection is destroyed. */
const LINGER_MILLISECONDS = 1000;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S*)( HTTP\/1\.[01]\r?(?:\n|$))?/;
const ORIGIN = /\nOrigin:[ \t]*([^\s]+)/i;

/** An error response that is sent without Fastify (ERR-1). */
interface PlainResponse {
  readonly error: ApiError;
  readonly requestId: string;
  readonly pretty: boolean;
  /** True if the response ends with its headers, because the request was a HEAD (OPS-9). */
  readonly isHead?: boolean;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Refuses a request that does not reach Fastify. Closes the connection unless `keeps` is set. */
export function sendPlain(response: ServerResponse, answer: PlainResponse, keeps = false): void {
  const body = errorBody(answer.error, answer.pretty);
  response.writeHead(answer.error.status, headersOf(answer, body, keeps));
  response.end(body);
}

/** Sends an error response on the bare socket, because no response object can be used, and closes the connection. */
function sendOnSocket(socket: Socket, answer: PlainResponse): void {
  const { status } = answer.error;
  const body = errorBody(answer.error, answer.pretty);
  const headers = { ...headersOf(answer, body), date: new Date().toUTCString() };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}\r\n${lines.join("")}\r\n`;
  socket.end(answer.isHead === true ? head : head + body);
  // Closing at once, with unread bytes, would reset the connection and lose the response.
  setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
}

function headersOf(answer: PlainResponse, body: string, keeps = false): Record<string, string> {
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
  readonly versions: VersionUsage;
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

  /** Refuses a request that has no response object, after the responses before it, and closes the connection. */
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
  private answerTo(error: ParserError, request?: IncomingMessage): PlainResponse {
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
  private answerBehind(socket: Socket, answer: PlainResponse, last: ServerResponse | null): void {
    if (last === null || last.writableFinished) {
      this.answer(socket, answer);
      return;
    }
    this.answered.add(socket);
    last.once("finish", () => this.answer(socket, answer));
  }

  private answer(socket: Socket, answer: PlainResponse): void {
    this.answered.add(socket);
    this.options.log({ requestId: answer.requestId, status: answer.error.status }, "refused");
    sendOnSocket(socket, answer);
  }
}
