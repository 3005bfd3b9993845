import { expect, test } from "vitest";
import { longestMatch } from "../../../src/validate/linear-pattern.js";

test.each([
  ["^[0-9]{15}$", 15],
  ["^[A-Z]{2}-[0-9]{3,5}$", 8],
  ["^a?b$", 2],
  ["^\\d{4}\\.\\d{2}$", 7],
  ["^$", 0],
  ["^[0-9]+$", Infinity],
  ["^[0-9]*$", Infinity],
  ["^[0-9]{3,}$", Infinity],
  ["[0-9]{15}", Infinity],
  ["^[0-9]{15}", Infinity],
  ["^(?:a|b){3}$", Infinity],
  ["^a$|b", Infinity],
  ["^a\\$", Infinity],
])("%s matches at most %d characters", (pattern, most) => {
  expect(longestMatch(pattern)).toBe(most);
});
