import { expect, test } from "vitest";
import { OPEN, parentFilters, isTie, tiedFilters, type Tie } from "#runtime/auth/access";
import type { Caller } from "#runtime/auth/authentication";

const subject = { subjectId: "3f0d6c1e-0000-4000-8000-000000000001", userPrincipalName: "ann" };
const caller: Caller = { subject, isAnonymous: false, roles: [] };
const filter = (path: string, values: readonly string[]) => {
  return { path, contains: false, values, orNull: false };
};
const asker = { caller, warn: () => undefined };
const mine = (path: string) => filter(path, [subject.subjectId]);
const north = filter("region", ["north"]);
const scopes = {
  custom: () => [north],
  "parent:custom": () => null,
  "parent:parent:custom": () => [north],
} as const;

test.each<{ ties: readonly Tie[]; own: unknown; above: unknown }>([
  { ties: [], own: null, above: null },
  { ties: ["owner"], own: [mine("createdSubject.subjectId")], above: null },
  {
    ties: ["parent:owner"],
    own: [mine("parent:owner")],
    above: [mine("createdSubject.subjectId")],
  },
  {
    ties: ["parent:parent:owner"],
    own: [mine("parent:parent:owner")],
    above: [mine("parent:owner")],
  },
  { ties: ["custom"], own: [north], above: null },
  { ties: ["parent:custom"], own: null, above: null },
  {
    ties: ["parent:parent:custom"],
    own: [{ parent: [{ parent: [north] }] }],
    above: [{ parent: [north] }],
  },
  {
    ties: ["owner", "parent:parent:custom"],
    own: [{ any: [[mine("createdSubject.subjectId")], [{ parent: [{ parent: [north] }] }]] }],
    above: [{ parent: [north] }],
  },
])("what $ties ask of an entity, and of its parent", ({ ties, own, above }) => {
  expect(tiedFilters(ties, scopes, asker)).toEqual(own);
  expect(parentFilters({ ...OPEN, create: ties, scopes }, asker)).toEqual(above);
});

test("code that gives all that is above asks nothing", () => {
  const all = { "parent:parent:custom": () => [] } as const;
  expect(tiedFilters(["owner", "parent:parent:custom"], all, asker)).toEqual([]);
});

test.each(["owner", "custom", "parent:owner", "parent:parent:custom"])("%s is a tie", (grant) => {
  expect(isTie(grant)).toBe(true);
});

test.each(["anyone", "authenticated", "role:owner", "role:parent:custom"])(
  "%s is none",
  (grant) => {
    expect(isTie(grant)).toBe(false);
  },
);
