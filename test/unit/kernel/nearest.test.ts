import { expect, test } from "vitest";

import { nearest, suggestion } from "../../../templates/kernel/nearest.js";

const NAMES = ["title", "status", "priority", "closedDate", "deliveryAddress", "tags", "id"];

test.each([
  { name: "titel", want: "title" },
  { name: "titlle", want: "title" },
  { name: "TITLE", want: "title" },
  { name: "closed_date", want: "closedDate" },
  { name: "delivryAdress", want: "deliveryAddress" },
  { name: "tag", want: "tags" },
  { name: "ID", want: "id" },
  { name: "xyz", want: null },
  { name: "", want: null },
  { name: "constructor", want: null },
  { name: "t".repeat(5_000), want: null },
])("$name was probably meant as $want", ({ name, want }) => {
  expect(nearest(name, NAMES)).toBe(want);
});

test("a suggestion ends a sentence, or adds nothing", () => {
  expect(suggestion("titel", NAMES)).toBe('; did you mean "title"?');
  expect(suggestion("xyz", NAMES)).toBe("");
});
