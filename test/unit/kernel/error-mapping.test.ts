import { expect, test } from "vitest";

import { toApiError } from "../../../templates/kernel/http/error-mapping.js";
import type { Limits } from "../../../templates/kernel/http/settings.js";
import {
  RecipientGone,
  StatementTimeout,
  StorageUnavailable,
} from "../../../templates/kernel/store/database.js";

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
  expect(toApiError(error, "r-1", LIMITS)).toMatchObject({ status, type });
});
