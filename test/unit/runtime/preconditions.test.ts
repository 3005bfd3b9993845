import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compressedTag,
  entityTag,
  isOfRevision,
  checkPreconditions,
  hasBody,
} from "#runtime/http/conditional";

test("the tag of what shows its row alone is the revision and the shape", () => {
  expect(entityTag({ revision: 7, shape: "1e6b64223144" }, "{}")).toBe('"7-1e6b64223144"');
});

test("the tag of what shows others has a digest of the body", () => {
  const version = { revision: 7, shape: null };
  const tag = entityTag(version, "one");
  expect(tag).toMatch(/^"7-[\w-]{16}"$/);
  expect(entityTag(version, "one")).toBe(tag);
  expect(entityTag(version, "two")).not.toBe(tag);
});

const SHAPE = "1e6b64223144";
const DIGEST = "q3xZ0c1mVd9KfP-_";

test("a tag is of its revision alone, compressed or not", () => {
  for (const plain of [`"7-${SHAPE}"`, `"7-${DIGEST}"`]) {
    for (const tag of [plain, compressedTag(plain)]) {
      expect(isOfRevision(tag, 7), tag).toBe(true);
      for (const other of [0, 1, 70, 77]) expect(isOfRevision(tag, other), tag).toBe(false);
    }
  }
});

test("a revision without the name of a shape or a body, or with another ending, is no tag of an entity", () => {
  const others = ['"7"', '"7-"', '"7-gzip"', '"7-abc"', `"07-${SHAPE}"`, `"7-${SHAPE}-br"`];
  for (const tag of others) expect(isOfRevision(tag, 7), tag).toBe(false);
});

/** A tag of the entity at a revision, of every form that is answered. */
const tags = fc
  .record({
    revision: fc.integer({ min: 1, max: 2 ** 31 }),
    shape: fc.option(fc.stringMatching(/^[0-9a-f]{12}$/)),
    body: fc.string(),
    isCompressed: fc.boolean(),
  })
  .map(({ revision, shape, body, isCompressed }) => {
    const tag = entityTag({ revision, shape }, body);
    return { revision, tag: isCompressed ? compressedTag(tag) : tag };
  });
/** What a header can hold. */
const CHARACTER = fc.constantFrom(
  ...Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)),
  ...[" ", "\t", "\x80", "\xff"],
);

/** Whether a request with the header would be carried out at the revision. */
function isMade(header: string, revision: number): boolean {
  try {
    checkPreconditions(revision, { "if-match": header }, true);
    return true;
  } catch {
    return false;
  }
}

test("OPS-10: a tag matches, and with a character more or fewer it does not", () => {
  fc.assert(
    fc.property(tags, CHARACTER, fc.nat(), ({ revision, tag }, added, at) => {
      expect(isMade(tag, revision)).toBe(true);
      const place = at % tag.length;
      expect(isMade(tag.slice(0, place) + tag.slice(place + 1), revision)).toBe(false);
      // Before its first quote and after its last one, white space and commas belong to the list.
      const inside = 1 + (at % (tag.length - 1));
      expect(isMade(tag.slice(0, inside) + added + tag.slice(inside), revision)).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

test("OPS-10: a tag with another character does not match, unless it names another shape or body of the revision", () => {
  const name = /^"\d+-([0-9a-f]{12}|[\w-]{16})(?:-gzip)?"$/;
  fc.assert(
    fc.property(tags, CHARACTER, fc.nat(), ({ revision, tag }, other, at) => {
      const place = at % tag.length;
      const changed = tag.slice(0, place) + other + tag.slice(place + 1);
      const start = tag.indexOf("-") + 1;
      const end = start + (name.exec(tag)?.[1] ?? "").length;
      const isNamed = place >= start && place < end && name.test(changed);
      expect(isMade(changed, revision)).toBe(changed === tag || isNamed);
    }),
    { numRuns: 5000 },
  );
});

test("a comma within a tag is a part of it", () => {
  expect(hasBody('"a,"1",b"', '"1"')).toBe(false);
  expect(hasBody('"a,b", "1"', '"1"')).toBe(true);
});

/** The CPU time that reading a header of a length takes at least, in milliseconds. */
function costOf(header: string): number {
  const headers = { "if-match": header, "if-none-match": header };
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    for (let time = 0; time < 200; time += 1) {
      hasBody(header, '"1"');
      expect(() => checkPreconditions(1, headers, false)).toThrow();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

test.each(['"', 'W/"', ' ,"', '"" ', '"a', ", ", '"\u0000', '" '])(
  "a header of 16,000 characters of %j costs no more than one of 2,000",
  (part) => {
    const ofLength = (length: number): string =>
      part.repeat(Math.ceil(length / part.length)).slice(0, length);
    expect(costOf(ofLength(16_000))).toBeLessThan(4 * costOf(ofLength(1990)) + 50);
  },
);
