import assert from "node:assert/strict";

import type { Answer } from "./client.js";

/** Expects one of several statuses. */
export function assertStatusAmong(
  { status, text }: Answer,
  expected: readonly number[],
  what: string,
): void {
  const told = `${what}: ${status} instead of ${expected.join(" or ")}: ${text}`;
  assert.ok(expected.includes(status), told);
}
