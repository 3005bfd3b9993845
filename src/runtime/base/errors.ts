/**
 * The bottom of the runtime: every other folder may use this one, and it uses none. Start here for the errors in
 * responses; custom-code.ts has the names under which code of the service runs, time.ts, decimal.ts, identifiers.ts and
 * texts.ts the values of the contract. Nothing here knows HTTP, a database or a resource.
 */
import { truncate } from "./texts.js";

/** One row of the table of error types. */
export interface ErrorType {
  readonly status: number;
  /** `<Entity>` is the entity's type name: `TicketNotFoundMessage`. */
  readonly type: string;
  /** `<entity>` is the entity in words: `The shipping fee was not found.` */
  readonly message: string;
}

/** Every error that a response can have (ERR-2): the one table of types, statuses and messages. */
export const ERROR_TYPES = {
  validationFailed: row(400, "ValidationFailedMessage", "The request is not valid."),
  malformedRequest: row(400, "MalformedRequestMessage", "The request could not be read."),
  unauthorized: row(401, "UnauthorizedMessage", "Valid credentials are needed."),
  forbidden: row(403, "ForbiddenMessage", "This is not allowed."),
  entityNotFound: row(404, "<Entity>NotFoundMessage", "The <entity> was not found."),
  pathNotFound: row(404, "PathNotFoundMessage", "There is nothing at this path."),
  versionNotFound: row(
    404,
    "VersionNotFoundMessage",
    "The path does not contain a version that is served.",
  ),
  methodNotAllowed: row(405, "MethodNotAllowedMessage", "The method is not allowed here."),
  notAcceptable: row(406, "NotAcceptableMessage", "Only application/json can be answered."),
  requestTimeout: row(408, "TimeoutMessage", "The request took too long to arrive."),
  invalidState: row(409, "Invalid<Entity>StateMessage", "The <entity> is not in a valid state."),
  alreadyExists: row(409, "<Entity>AlreadyExistsMessage", "The <entity> already exists."),
  inUse: row(409, "<Entity>InUseMessage", "The <entity> is in use."),
  idempotencyKeyReused: row(
    409,
    "IdempotencyKeyReusedMessage",
    "The Idempotency-Key was used before.",
  ),
  idempotencyKeyPending: row(
    409,
    "IdempotencyKeyPendingMessage",
    "The first request with this Idempotency-Key is still at work.",
  ),
  versionRetired: row(410, "VersionRetiredMessage", "This version is no longer served."),
  preconditionFailed: row(
    412,
    "PreconditionFailedMessage",
    "The entity has changed since it was read.",
  ),
  payloadTooLarge: row(413, "PayloadTooLargeMessage", "The body is too large."),
  uriTooLong: row(414, "UriTooLongMessage", "The URL is too long."),
  unsupportedMediaType: row(
    415,
    "UnsupportedMediaTypeMessage",
    "A body of this type or encoding is not accepted.",
  ),
  expectationFailed: row(417, "ExpectationFailedMessage", "The expectation cannot be met."),
  preconditionRequired: row(428, "PreconditionRequiredMessage", "An If-Match header is needed."),
  tooManyRequests: row(429, "TooManyRequestsMessage", "Too many requests."),
  headersTooLarge: row(431, "HeadersTooLargeMessage", "The headers are too large."),
  internalError: row(500, "InternalErrorMessage", "Something went wrong in the service."),
  notImplemented: row(501, "NotImplementedMessage", "The method is not known."),
  notWritten: row(501, "NotImplementedMessage", "The action is not written yet."),
  serviceUnavailable: row(503, "ServiceUnavailableMessage", "The service cannot answer now."),
  gatewayTimeout: row(504, "TimeoutMessage", "The response took too long."),
} satisfies Record<string, ErrorType>;

function row(status: number, type: string, message: string): ErrorType {
  return { status, type, message };
}

/** One offending property of a request (ERR-4). */
export interface FieldIssue {
  /** The dotted path: `deliveryAddress.state`, `tags[1]`. */
  readonly field: string;
  /** The mistake, without the property's name: `must not be empty`. */
  readonly message: string;
}

/** Parts of an error besides its type and message. */
export interface ErrorDetails {
  readonly description?: string;
  readonly fields?: readonly FieldIssue[];
  /** Response headers that belong to the error: `Allow`, `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent to the client unchanged, in the contract's form (ERR-1). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** The response body of an error (contract 7.2). */
export function errorBody(error: ApiError, pretty: boolean): string {
  const { description, fields } = error.details;
  const element = { type: error.type, message: error.message, description, fields };
  // JSON.stringify leaves out what is undefined.
  return JSON.stringify({ errors: [element] }, null, pretty ? 2 : 0);
}

/** 400: properties or parameters that break a rule, all of them at once (ERR-4). */
export function validationFailed(fields: readonly FieldIssue[]): ApiError {
  return errorOf(ERROR_TYPES.validationFailed, listed(fields));
}

const MOST_LISTED = 100;

/** Names the first issue, and says how many more there are (ERR-4). */
export function listed(fields: readonly FieldIssue[]): ErrorDetails {
  const more = fields.length - MOST_LISTED;
  if (more <= 0) return { fields };
  const description = `The first ${MOST_LISTED} are listed; there ${more === 1 ? "is" : "are"} ${more} more.`;
  return { description, fields: fields.slice(0, MOST_LISTED) };
}

/** 400: the rows of a page hold too many bytes; the client can ask for fewer rows (LIM-1). */
export function pageTooLarge(limit: number): ApiError {
  const message = `must be smaller: the page would hold more than ${limit} bytes`;
  return validationFailed([{ field: "pageSize", message }]);
}

/** 400: bytes that are not a request, or not a JSON object. */
export function malformedRequest(description: string): ApiError {
  return errorOf(ERROR_TYPES.malformedRequest, { description });
}

/** 401: the credentials are missing or not valid; the response does not say why (AUT-1, RFC 6750). */
export function unauthorized(credentials: "missing" | "invalid" = "missing"): ApiError {
  const challenge = credentials === "missing" ? "Bearer" : 'Bearer error="invalid_token"';
  return errorOf(ERROR_TYPES.unauthorized, { headers: { "WWW-Authenticate": challenge } });
}

/** 403: the caller may not do this (AUT-2). */
export function forbidden(details: ErrorDetails = {}): ApiError {
  return errorOf(ERROR_TYPES.forbidden, details);
}

/** 404: no entity has this identifier (IDN-4). */
export function entityNotFound(entityType: string, identifier: string): ApiError {
  const description = `There is no ${words(entityType)} with the identifier "${truncate(identifier)}".`;
  return entityErrorOf(entityType, ERROR_TYPES.entityNotFound, { description });
}

/** 404: no resource has this path; `end` may say where else to look. */
export function pathNotFound(path: string, end = "."): ApiError {
  const description = `There is nothing at "${truncate(path)}"${end}`;
  return errorOf(ERROR_TYPES.pathNotFound, { description });
}

/** 404: the path contains no version, or one that is not served (VER-1). */
export function versionNotFound(served: readonly string[]): ApiError {
  return errorOf(ERROR_TYPES.versionNotFound, { description: servedVersions(served) });
}

/** 405 with `Allow` (OPS-7); `end` may say which path allows the method. */
export function methodNotAllowed(method: string, allow: readonly string[], end = "."): ApiError {
  const allowed = allow.join(", ");
  const description = `${truncate(method)} is not allowed here; allowed: ${allowed}${end}`;
  return errorOf(ERROR_TYPES.methodNotAllowed, { description, headers: { Allow: allowed } });
}

/** 406: the `Accept` header excludes JSON (REP-8). */
export function notAcceptable(): ApiError {
  return errorOf(ERROR_TYPES.notAcceptable);
}

/** 409: another entity has the same unique values in these properties. */
export function alreadyExists(entityType: string, properties: readonly string[]): ApiError {
  const names = [...properties];
  const last = names.splice(-1).join("");
  const all = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  const description = `There is another ${words(entityType)} with the same ${all}.`;
  return entityErrorOf(entityType, ERROR_TYPES.alreadyExists, { description });
}

/** 409: why the entity cannot be deleted now: `tickets refer to it` (CHD-4). */
export function inUse(entityType: string, reason: string): ApiError {
  const description = `It cannot be deleted while ${reason}.`;
  return entityErrorOf(entityType, ERROR_TYPES.inUse, { description });
}

/** 410: the version has been retired (VER-4). */
export function versionRetired(version: string, served: readonly string[]): ApiError {
  const description = `Version ${version} was retired. ${servedVersions(served)}`;
  return errorOf(ERROR_TYPES.versionRetired, { description });
}

/** 412: the entity has changed since the ETag of `If-Match` (OPS-10). */
export function preconditionFailed(): ApiError {
  return errorOf(ERROR_TYPES.preconditionFailed);
}

/** 413: the limit is in bytes (LIM-1). */
export function payloadTooLarge(limit: number): ApiError {
  return errorOf(ERROR_TYPES.payloadTooLarge, { description: `At most ${limit} bytes.` });
}

/** 414: the limit is in bytes (LIM-1). */
export function uriTooLong(limit: number): ApiError {
  return errorOf(ERROR_TYPES.uriTooLong, { description: `At most ${limit} bytes.` });
}

/** 415: names the media types that are accepted, also in `Accept` (REP-8). */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const types = accepted.join(", ");
  const description = `Accepted: ${types}.`;
  return errorOf(ERROR_TYPES.unsupportedMediaType, { description, headers: { Accept: types } });
}

/** 415: a body is sent without `Content-Encoding` (RFC 9110 15.5.16). */
export function unsupportedEncoding(): ApiError {
  const description = "Send the body without Content-Encoding.";
  const headers = { "Accept-Encoding": "identity" };
  return errorOf(ERROR_TYPES.unsupportedMediaType, { description, headers });
}

/** 417: an `Expect` other than `100-continue`. */
export function expectationFailed(): ApiError {
  return errorOf(ERROR_TYPES.expectationFailed);
}

/** 428: the resource demands `If-Match` (OPS-10). */
export function preconditionRequired(): ApiError {
  return errorOf(ERROR_TYPES.preconditionRequired);
}

/** 431: the limit is in bytes (LIM-1). */
export function headersTooLarge(limit: number): ApiError {
  return errorOf(ERROR_TYPES.headersTooLarge, { description: `At most ${limit} bytes.` });
}

/** 500: contains no detail, only the request id, by which the log says more (ERR-3). */
export function internalError(requestId: string): ApiError {
  return errorOf(ERROR_TYPES.internalError, { description: requestOf(requestId) });
}

/** 501: a method that no resource has; `requestId` is missing if the parser refused the request. */
export function notImplemented(
  method: string,
  allow: readonly string[] = [],
  requestId?: string,
): ApiError {
  const unknown = `${truncate(method)} is not a method of this service.`;
  const description = requestId === undefined ? unknown : `${unknown} ${requestOf(requestId)}`;
  const headers = allow.length === 0 ? {} : { headers: { Allow: allow.join(", ") } };
  return errorOf(ERROR_TYPES.notImplemented, { description, ...headers });
}

/** The `Retry-After` of a refusal that passes within moments. */
export const RETRY_AFTER_SECONDS = 1;

/** 503 with `Retry-After` (LIM-2). */
export function serviceUnavailable(requestId: string): ApiError {
  return errorOf(ERROR_TYPES.serviceUnavailable, {
    description: requestOf(requestId),
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}

/** 408: the request did not arrive in time. 504: the response was not ready in time; a change may have been made, or may still be made. */
export function timeout(status: 408 | 504, requestId = ""): ApiError {
  if (status === 408) return errorOf(ERROR_TYPES.requestTimeout);
  const description = `${requestOf(requestId)} ${OPEN_OUTCOME}`;
  return errorOf(ERROR_TYPES.gatewayTimeout, { description });
}

const OPEN_OUTCOME =
  "A change may have been made or may still be made: repeat the request with the same Idempotency-Key, or read the entity or the list.";

/** An error of the table. */
export function errorOf(
  { status, type, message }: ErrorType,
  details: ErrorDetails = {},
): ApiError {
  return new ApiError(status, type, message, details);
}

/** An error of the table that names an entity. */
export function entityErrorOf(entityType: string, row: ErrorType, details: ErrorDetails): ApiError {
  const type = row.type.replace("<Entity>", entityType);
  const message = row.message.replace("<entity>", words(entityType));
  return new ApiError(row.status, type, message, details);
}

/** `ShippingFee` is `shipping fee` in a sentence. */
export function words(entityType: string): string {
  return entityType.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}

function servedVersions(served: readonly string[]): string {
  return `Served: ${served.join(", ")}.`;
}

/** The sentence by which a reader of the response finds the line in the log (ERR-3). */
export function requestOf(requestId: string): string {
  return `The request id is ${requestId}.`;
}

/** A reason not to start: one clear line that says what is wrong and what to do. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
