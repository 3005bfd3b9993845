import { expect, test } from "vitest";

import { truncate } from "#runtime/base/texts";

test.each([
  { text: "", want: "" },
  { text: "a".repeat(40), want: "a".repeat(40) },
  { text: "a".repeat(41), want: `${"a".repeat(39)}…` },
  { text: `${"a".repeat(38)}😀aa`, want: `${"a".repeat(38)}…` },
])("shows at most 40 characters of %j, and no half ones", ({ text, want }) => {
  expect(truncate(text)).toBe(want);
});
