import { expect, test } from "vitest";

import { ERROR_TYPES } from "#runtime/base/errors";
import * as errors from "#runtime/base/errors";
import { notWritten } from "#runtime/base/custom-code";
import { invalidState } from "#runtime/entity/states";
import { tooManyRequests } from "#runtime/http/rate-limit";
import { idempotencyKeyPending, idempotencyKeyReused } from "#runtime/http/idempotency";

const everyError = [
  { error: errors.validationFailed([]), want: [400, "ValidationFailedMessage"] },
  { error: errors.malformedRequest("why"), want: [400, "MalformedRequestMessage"] },
  { error: errors.unauthorized(), want: [401, "UnauthorizedMessage"] },
  { error: errors.forbidden(), want: [403, "ForbiddenMessage"] },
  { error: errors.entityNotFound("ShippingFee", "7"), want: [404, "ShippingFeeNotFoundMessage"] },
  { error: errors.pathNotFound("/x"), want: [404, "PathNotFoundMessage"] },
  { error: errors.versionNotFound(["v1"]), want: [404, "VersionNotFoundMessage"] },
  { error: errors.methodNotAllowed("PUT", ["GET"]), want: [405, "MethodNotAllowedMessage"] },
  { error: errors.notAcceptable(), want: [406, "NotAcceptableMessage"] },
  { error: errors.timeout(408), want: [408, "TimeoutMessage"] },
  { error: invalidState("Order", "shipped", []), want: [409, "InvalidOrderStateMessage"] },
  { error: errors.alreadyExists("User", ["email"]), want: [409, "UserAlreadyExistsMessage"] },
  { error: errors.inUse("User", "tickets"), want: [409, "UserInUseMessage"] },
  { error: idempotencyKeyReused(), want: [409, "IdempotencyKeyReusedMessage"] },
  { error: idempotencyKeyPending(), want: [409, "IdempotencyKeyPendingMessage"] },
  { error: errors.versionRetired("v1", ["v2"]), want: [410, "VersionRetiredMessage"] },
  { error: errors.preconditionFailed(), want: [412, "PreconditionFailedMessage"] },
  { error: errors.payloadTooLarge(9), want: [413, "PayloadTooLargeMessage"] },
  { error: errors.uriTooLong(9), want: [414, "UriTooLongMessage"] },
  { error: errors.unsupportedMediaType([]), want: [415, "UnsupportedMediaTypeMessage"] },
  { error: errors.unsupportedEncoding(), want: [415, "UnsupportedMediaTypeMessage"] },
  { error: errors.expectationFailed(), want: [417, "ExpectationFailedMessage"] },
  { error: errors.preconditionRequired(), want: [428, "PreconditionRequiredMessage"] },
  { error: tooManyRequests(3), want: [429, "TooManyRequestsMessage"] },
  { error: errors.headersTooLarge(9), want: [431, "HeadersTooLargeMessage"] },
  { error: errors.internalError("r1"), want: [500, "InternalErrorMessage"] },
  { error: errors.notImplemented("FOO"), want: [501, "NotImplementedMessage"] },
  { error: notWritten(), want: [501, "NotImplementedMessage"] },
  { error: errors.serviceUnavailable("r1"), want: [503, "ServiceUnavailableMessage"] },
  { error: errors.timeout(504, "r1"), want: [504, "TimeoutMessage"] },
] as const;

test.each(everyError)("$want.1 has the status $want.0", ({ error, want }) => {
  expect([error.status, error.type]).toEqual(want);
  expect(error).toBeInstanceOf(Error);
  expect(error.message).not.toContain("<");
});

test("every row of the table can be answered", () => {
  const types = new Set(everyError.map(({ error }) => `${error.status}${error.message}`));
  expect(types.size).toBe(Object.keys(ERROR_TYPES).length);
});

test("a body names type, message and description, in that order, on lines of their own", () => {
  const body = errors.errorBody(errors.entityNotFound("ShippingFee", "7"), true);
  expect(body).toBe(`{
  "errors": [
    {
      "type": "ShippingFeeNotFoundMessage",
      "message": "The shipping fee was not found.",
      "description": "There is no shipping fee with the identifier \\"7\\"."
    }
  ]
}`);
});

test("a validation error has its fields, and no description", () => {
  const fields = [{ field: "title", message: "is required" }];
  const body = errors.errorBody(errors.validationFailed(fields), false);
  expect(JSON.parse(body)).toEqual({
    errors: [{ type: "ValidationFailedMessage", message: "The request is not valid.", fields }],
  });
  expect(body).not.toContain("\n");
});

test.each([
  { error: errors.unauthorized(), want: { "WWW-Authenticate": "Bearer" } },
  { error: errors.methodNotAllowed("PUT", ["GET", "HEAD"]), want: { Allow: "GET, HEAD" } },
  { error: errors.notImplemented("FOO", ["GET", "POST"]), want: { Allow: "GET, POST" } },
  { error: errors.notImplemented("FOO"), want: undefined },
  {
    error: errors.unsupportedMediaType(["application/json"]),
    want: { Accept: "application/json" },
  },
  { error: errors.unsupportedEncoding(), want: { "Accept-Encoding": "identity" } },
  { error: tooManyRequests(30), want: { "Retry-After": "30" } },
  { error: errors.serviceUnavailable("r1"), want: { "Retry-After": "1" } },
])("$error.type brings the headers $want", ({ error, want }) => {
  expect(error.details.headers).toEqual(want);
});

test("a server error carries the request id", () => {
  for (const error of [
    errors.internalError("r-1"),
    errors.serviceUnavailable("r-1"),
    errors.notImplemented("FOO", [], "r-1"),
    errors.timeout(504, "r-1"),
  ]) {
    expect(error.details.description).toContain("r-1");
  }
});

test("a refused state names the current one and the next ones", () => {
  expect(invalidState("Order", "open", ["packed", "closed"]).details.description).toBe(
    "Its state is open; next: packed, closed.",
  );
  expect(invalidState("Order", "closed", []).details.description).toBe(
    "Its state is closed; no update leads to another one.",
  );
});

test("no error repeats more than 40 characters of what was sent", () => {
  const long = "x".repeat(200);
  for (const error of [
    errors.entityNotFound("Ticket", long),
    errors.pathNotFound(long),
    errors.methodNotAllowed(long, ["GET"]),
    errors.notImplemented(long),
  ]) {
    expect(error.details.description).not.toContain("x".repeat(41));
  }
});
