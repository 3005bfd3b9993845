import { expect, test } from "vitest";
import { printable, visible } from "../../../src/diagnostics/visible.js";

const TITLE = "\u001b]0;title\u0007";
const HOSTILE = `a${TITLE}\u009b2J\r\u202egpj.exe\u2066\u2028\ud800b`;
const SHOWN = "a\\u001b]0;title\\u0007\\u009b2J\\u000d\\u202egpj.exe\\u2066\\u2028\\ud800b";

test("text from elsewhere is one line, in which nothing controls a terminal", () => {
  expect(visible(`${HOSTILE}\n\u001b[31m`)).toBe(`${SHOWN}\\u000a\\u001b[31m`);
  expect(visible("Grüße, 日本語 👩‍👩‍👧")).toBe("Grüße, 日本語 👩‍👩‍👧");
});

test("what is printed keeps its lines, and its colors where there are any", () => {
  const text = `\u001b[1m${HOSTILE}\u001b[22m\n\u0007[31m`;
  expect(printable(text, true)).toBe(`\u001b[1m${SHOWN}\u001b[22m\n\\u0007[31m`);
  expect(printable(text, false)).toBe(`\\u001b[1m${SHOWN}\\u001b[22m\n\\u0007[31m`);
});

test("JSON keeps its meaning", () => {
  const text = JSON.stringify({ [HOSTILE]: `${HOSTILE}\u007f` }, null, 2);
  expect(JSON.parse(printable(text, false))).toEqual(JSON.parse(text));
});
