import { AuthenticationBusy, KeysUnavailable } from "../auth/authentication.js";
import {
  ERROR_TYPES,
  type ErrorType,
  ApiError,
  internalError,
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
import type { Limits } from "./settings.js";

const RETRY_AFTER_SECONDS = 1;
/** Whoever comes again a little later may be served. */
const UNAVAILABLE = [StorageUnavailable, KeysUnavailable, AuthenticationBusy];
/** Whoever sent it is there no more to read this. */
const ENDED_EARLY = "The request ended early.";

/** What the answer to an error depends on. */
interface Told {
  readonly limits: Limits;
  /** Of a hook or another function of own code; of a plugin, Fastify's own fields count. */
  readonly isOwnCodes?: boolean;
}

/** The contract's error for whatever was thrown; nothing from inside shows in it (ERR-3). */
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
  // What own code calls has codes of its own, which say nothing of this request.
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

/** ERR-3: an error of 5xx that own code has thrown leads to the log as well. */
function withRequestId(error: ApiError, requestId: string): ApiError {
  const { status, type, message, details } = error;
  const { description = "" } = details;
  if (status < 500 || description.includes(requestId)) return error;
  const extended = `${description} ${requestOf(requestId)}`.trim();
  return new ApiError(status, type, message, { ...details, description: extended });
}

/** Fastify's plugins say with a status what they refuse; their messages are not the contract's. */
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

/** The `code` of an error of Node or Fastify, if it has one. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
