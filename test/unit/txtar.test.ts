import { expect, test } from "vitest";
import { parseTxtar, printTxtar } from "../support/txtar.js";

const TEXT =
  "An order is sent.\n-- before/orders.yaml --\nresource: orders\n-- empty.txt --\n-- migration/a.sql --\n-- run: add a column\nSELECT 1;\n";

test("a txtar text is a comment and its files, in their order, and is printed as it was", () => {
  const read = parseTxtar(TEXT);
  expect(read.comment).toBe("An order is sent.\n");
  expect(Object.entries(read.files)).toEqual([
    ["before/orders.yaml", "resource: orders\n"],
    ["empty.txt", ""],
    ["migration/a.sql", "-- run: add a column\nSELECT 1;\n"],
  ]);
  expect(printTxtar(read)).toBe(TEXT);
});

test("a path that occurs twice is refused", () => {
  expect(() => parseTxtar("-- a.txt --\n-- a.txt --\n")).toThrow("have the path a.txt");
});

test.each(["no end of line", "first\n-- b.txt --\n"])(
  "a file that could not be read as it is, is not printed: %j",
  (text) => {
    expect(() => printTxtar({ comment: "", files: { "a.txt": text } })).toThrow("a.txt cannot be");
  },
);
