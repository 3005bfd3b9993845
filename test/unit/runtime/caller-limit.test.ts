import { expect, test } from "vitest";

import { NOBODY, callerKey } from "#runtime/auth/authentication";
import { CallerLimit } from "#runtime/http/rate-limit";

const known = {
  subject: { subjectId: "0189d1f4-0000-7000-8000-000000000001", userPrincipalName: "a" },
  roles: [],
  isAnonymous: false,
};

test.each([
  { caller: known, address: "192.0.2.1", want: known.subject.subjectId },
  { caller: NOBODY, address: "192.0.2.1", want: "192.0.2.1" },
  { caller: NOBODY, address: "::ffff:192.0.2.1", want: "192.0.2.1" },
  { caller: NOBODY, address: "2001:db8:0:1::9", want: "2001:db8:0:1" },
  // A connection that was closed meanwhile.
  { caller: NOBODY, address: undefined, want: "" },
])("callers are told apart by $want", ({ caller, address, want }) => {
  expect(callerKey(caller, address)).toBe(want);
});

test("a caller whose connection was closed is counted like any other", () => {
  const limit = new CallerLimit(1, () => 0);
  limit.count(NOBODY, undefined);
  expect(() => limit.count(NOBODY, undefined)).toThrow("Too many requests");
});
