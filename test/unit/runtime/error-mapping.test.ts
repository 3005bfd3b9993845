import { expect, test } from "vitest";

import { ApiError } from "#runtime/base/errors";
import { toApiError } from "#runtime/http/error-responses";
import type { Limits } from "#runtime/http/settings";
import { RecipientGone, StatementTimeout, StorageUnavailable } from "#runtime/store/database";

const LIMITS: Limits = {
  bodyBytes: 1,
  urlBytes: 1,
  headerBytes: 1,
  requestSeconds: 1,
  jsonDepth: 1,
  jsonValues: 1,
  arrayItems: 1,
  stringCharacters: 1,
  pageBytes: 1,
  receivingBytes: 1,
  sendingBytes: 1,
  concurrentRequests: 1,
  requestsPerMinute: null,
};

test.each([
  [new StorageUnavailable("locked"), 503, "ServiceUnavailableMessage"],
  [new StatementTimeout("too long"), 504, "TimeoutMessage"],
  [new RecipientGone("gone"), 400, "MalformedRequestMessage"],
  [new Error("a mistake"), 500, "InternalErrorMessage"],
])("%s is answered with %d", (error, status, type) => {
  expect(toApiError(error, "r-1", { limits: LIMITS })).toMatchObject({ status, type });
});

test.each([
  [503, undefined, "The request id is r-1."],
  [502, "Come back at noon.", "Come back at noon. The request id is r-1."],
  [504, "The request id is r-1.", "The request id is r-1."],
  [409, "Come back at noon.", "Come back at noon."],
])("an error of own code with %d and the description %j is told as %j", (status, said, want) => {
  const details = said === undefined ? {} : { description: said };
  const error = new ApiError(status, "ShopClosedMessage", "The shop is closed.", details);
  const told = toApiError(error, "r-1", { limits: LIMITS });
  const { type, message } = error;
  expect(told).toMatchObject({ status, type, message, details: { description: want } });
});
