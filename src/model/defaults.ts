import type { Operation, Paging } from "./resource-model.js";
import type { Limits } from "./service-model.js";

/** LIM-1 and LIM-2, as decided in the contract's rules. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1_048_576,
  urlBytes: 8192,
  headerBytes: 16_384,
  requestSeconds: 30,
  jsonDepth: 32,
  jsonValues: 20_000,
  arrayItems: 1000,
  stringCharacters: 10_000,
  pageBytes: 4_194_304,
  receivingBytes: 67_108_864,
  sendingBytes: 33_554_432,
  concurrentRequests: 200,
  requestsPerMinute: null,
};

/** QRY-5 */
export const DEFAULT_PAGING: Paging = { defaultSize: 20, maximumSize: 100, next: false };

/** OPS-9: what a resource offers unless it says otherwise, in route order. */
export const ALL_OPERATIONS: readonly Operation[] = [
  "create",
  "list",
  "read",
  "replace",
  "update",
  "delete",
];
