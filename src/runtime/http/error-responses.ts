import { validateHeaderName, validateHeaderValue } from "node:http";
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
} from "../base/errors.js";
import {
  RecipientGone,
  ResultTooLarge,
  StatementTimeout,
  StorageUnavailable,
} from "../store/database.js";
import { ErrorLog } from "./log.js";
import { sendError } from "./response.js";
import type { ServiceSettings, Limits } from "./settings.js";
import { answerSocket } from "./socket-errors.js";

/** Error codes of Node for headers that cannot be sent. */
const HEADER_FAULTS: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
]);

/** Headers that describe the body of the original response, which an error replaces. */
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

/** Sends errors of all kinds in the contract's form (ERR-1), and logs those with a status of 5xx (ERR-3). */
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
      const isOwnCodes = throwerOf(error) !== undefined;
      this.answer(reply, isOwnCodes ? readableError(error) : error, { thrown: error, isOwnCodes });
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
      else this.answer(reply, readableError(error), { thrown: error, isOwnCodes: false });
    } catch (fault) {
      this.sendPlain(reply, fault);
    }
  };

  private answer(
    reply: FastifyReply,
    error: unknown,
    { thrown, isOwnCodes }: { readonly thrown: unknown; readonly isOwnCodes: boolean },
  ): void {
    const { limits, pretty } = this.settings;
    const { id } = reply.request;
    const known = toApiError(error, id, { limits, isOwnCodes });
    if (known.status >= 500) this.faults.add(error, known.status, reply, throwerOf(thrown));
    // Some errors occur before the hook that sets these headers.
    reply.header("x-request-id", id).header("x-content-type-options", "nosniff");
    // Fastify closes the connection after a refused body, which would reset it before the client reads the response. Node drops
    // the rest of the body instead, until the request times out.
    const isBodyRefused = known.status === 413 || known.status === 503;
    if (isBodyRefused && reply.raw.shouldKeepAlive) reply.removeHeader("connection");
    sendError(reply, known, { pretty, fail: this.sendPlain });
  }

  /** Sends 500 on the socket and closes it, because the response object may be half-written. */
  readonly sendPlain = ({ raw, request }: FastifyReply, fault: unknown): void => {
    const { id } = request;
    this.logger.error({ err: fault, requestId: id }, "a response could not be sent");
    if (raw.headersSent || raw.socket === null) {
      raw.destroy();
      return;
    }
    const { pretty } = this.settings;
    const isHead = request.method === "HEAD";
    answerSocket(raw.socket, { error: internalError(id), requestId: id, pretty, isHead });
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
    ...(details.headers !== undefined && { headers: headersOf(details.headers) }),
  });
}

function fieldsOf(fields: readonly FieldIssue[]): readonly FieldIssue[] {
  return [...fields].map(({ field, message }) => {
    return { field: text("fields.field", field), message: text("fields.message", message) };
  });
}

/** Checks that Node can send the headers, because a caller's text may have any characters. */
function headersOf(headers: Readonly<Record<string, string>>): ErrorDetails["headers"] & object {
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

const RETRY_AFTER_SECONDS = 1;
/** Temporary failures: a later retry may succeed. */
const UNAVAILABLE = [StorageUnavailable, KeysUnavailable, AuthenticationBusy];
/** Never read, because the client has disconnected. */
const ENDED_EARLY = "The request ended early.";

/** Context of the conversion of an error to a response. */
interface Told {
  readonly limits: Limits;
  /** True if a hook or another custom function threw. Otherwise the `code` and `statusCode` of the error count. */
  readonly isOwnCodes?: boolean;
}

/** Returns the contract's error for any thrown value, without internal details (ERR-3). */
export function toApiError(
  error: unknown,
  requestId: string,
  { limits, isOwnCodes = false }: Told,
): ApiError {
  if (error instanceof ApiError) return withRequestId(error, requestId);
  if (error instanceof StatementTimeout) return timeout(504, requestId);
  if (UNAVAILABLE.some((kind) => error instanceof kind))
    return serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
  if (error instanceof RecipientGone) return malformedRequest(ENDED_EARLY);
  if (error instanceof ResultTooLarge) return pageTooLarge(error.mostBytes);
  // Errors of libraries that custom code calls have codes and statuses that say nothing about this request.
  if (isOwnCodes) return internalError(requestId);
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

/** Adds the request id to a 5xx error of custom code, so that it can be found in the log (ERR-3). */
function withRequestId(error: ApiError, requestId: string): ApiError {
  const { status, type, message, details } = error;
  const { description = "" } = details;
  if (status < 500 || description.includes(requestId)) return error;
  const extended = `${description} ${requestOf(requestId)}`.trim();
  return new ApiError(status, type, message, { ...details, description: extended });
}

/** Returns the contract's error for the status of a plugin's error, whose message is not part of the contract. */
function byStatus(status: number, requestId: string): ApiError {
  if (status === 503) return serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
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
