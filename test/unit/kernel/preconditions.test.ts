import { expect, test } from "vitest";
import {
  compressedTag,
  entityTag,
  isOfRevision,
} from "../../../templates/kernel/http/entity-tag.js";
import { checkPreconditions, hasBody } from "../../../templates/kernel/http/preconditions.js";

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

test("a tag is of its revision alone, compressed or not", () => {
  for (const tag of ['"7"', '"7-gzip"', '"7-digest"', '"7-digest-gzip"', compressedTag('"7"')]) {
    expect(isOfRevision(tag, 7), tag).toBe(true);
    for (const other of [0, 1, 70, 77]) expect(isOfRevision(tag, other), tag).toBe(false);
  }
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
