/** One row of the table of error types. */
export interface ErrorType {
  readonly status: number;
  /** `<Entity>` is the entity's type name: `TicketNotFoundMessage`. */
  readonly type: string;
  /** `<entity>` is the entity in words: `The shipping fee was not found.` */
  readonly message: string;
}

/** Every error that a service answers with (ERR-2): the one table of types, statuses and messages. */
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
