import { expect, test } from "vitest";

import { ANONYMOUS } from "#runtime/base/common-fields";

test("nobody in particular is the nil UUID, and cannot be changed", () => {
  expect(ANONYMOUS).toEqual({
    subjectId: "00000000-0000-0000-0000-000000000000",
    userPrincipalName: "anonymous",
  });
  expect(Object.isFrozen(ANONYMOUS)).toBe(true);
});
