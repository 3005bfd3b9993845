import fc from "fast-check";
import { validate, version } from "uuid";
import { expect, test } from "vitest";

import { identifierSource, parseIdentifier } from "#runtime/base/identifiers";

function take(source: () => string, count: number): string[] {
  return Array.from({ length: count }, source);
}

test.each([
  { kind: "ordered", want: 7 },
  { kind: "random", want: 4 },
] as const)("$kind identifiers are UUIDs of version $want, in lower case, all different", (row) => {
  const identifiers = take(identifierSource(row.kind), 2_000);
  expect(new Set(identifiers).size).toBe(2_000);
  for (const identifier of identifiers) {
    expect(version(identifier)).toBe(row.want);
    expect(parseIdentifier(identifier)).toBe(identifier);
  }
});

test.each([
  { what: "runs", clock: Date.now },
  { what: "stands still", clock: () => 1_700_000_000_000 },
  { what: "goes back", clock: countdown() },
])("ordered identifiers ascend while the clock $what", ({ clock }) => {
  const identifiers = take(identifierSource("ordered", clock), 2_000);
  expect(identifiers).toEqual([...identifiers].sort());
  expect(new Set(identifiers).size).toBe(2_000);
});

function countdown(): () => number {
  let now = 1_700_000_000_000;
  return () => now--;
}

test("an ordered identifier starts with its time", () => {
  const identifier = identifierSource("ordered", () => 1_700_000_000_000)();
  expect(Number.parseInt(identifier.replace("-", "").slice(0, 12), 16)).toBe(1_700_000_000_000);
});

test("two sources never make the same identifier", () => {
  const still = (): number => 1_700_000_000_000;
  const first = take(identifierSource("ordered", still), 1_000);
  const second = take(identifierSource("ordered", still), 1_000);
  expect(new Set([...first, ...second]).size).toBe(2_000);
});

test("every UUID is read in lower case", () => {
  fc.assert(
    fc.property(fc.uuid(), (identifier) => {
      expect(parseIdentifier(identifier)).toBe(identifier);
      expect(parseIdentifier(identifier.toUpperCase())).toBe(identifier);
    }),
  );
});

test("agrees with the uuid package on what is hexadecimal and where hyphens stand", () => {
  const identifier = "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f";
  const place = fc.integer({ min: 0, max: 35 });
  fc.assert(
    fc.property(place, fc.constantFrom(..."09afAFgG-/:@`{ é１"), (index, changed) => {
      const text = identifier.slice(0, index) + changed + identifier.slice(index + 1);
      // The package looks at version and variant too; here any of them names a resource.
      const comparable = index !== 14 && index !== 19;
      if (comparable) expect(parseIdentifier(text) !== null).toBe(validate(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "",
  "1",
  "-1",
  "constructor",
  "0190a5d27c4e7b1a9f3e2d4c6b8a0e1f",
  "{0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f}",
  "urn:uuid:0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f",
  "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f.json",
  "0190a5d2-7c4e-7b1a-9f3e-2d4c6b8a0e1f ",
  "0190a5d2-7c4e-7b1a-9f3e2-d4c6b8a0e1f",
])("%j names nothing", (text) => {
  expect(parseIdentifier(text)).toBeNull();
});

test("the nil UUID is a UUID like any other", () => {
  const nil = "00000000-0000-0000-0000-000000000000";
  expect(parseIdentifier(nil)).toBe(nil);
});
