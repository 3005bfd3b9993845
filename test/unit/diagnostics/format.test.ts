import { expect, test } from "vitest";
import { diagnostic, type Diagnostic } from "../../../src/diagnostics/diagnostic.js";
import { format, toValues } from "../../../src/diagnostics/format.js";

function at(place: string, source: string, length = 1): Diagnostic {
  const [file = "", ...position] = place.split(":");
  const [line = 0, column = 0] = position.map(Number);
  const span = { file, line, column, endLine: line, endColumn: column + length };
  return diagnostic("NAM-4", { span, source }, { value: "x" }, { suggestion: 'Did you mean "y"?' });
}

test("a diagnostic has its place, the line that it means, a mark, a sentence and a page", () => {
  const source = "resource: tickets\n\tstatus: { enum: [open, in_progress] }\n";
  expect(format([at("resources/v1/tickets.yaml:2:25", source, 11)])).toBe(
    [
      "resources/v1/tickets.yaml:2:25  error  NAM-4",
      "    2 |  status: { enum: [open, in_progress] }",
      "      |                         ^^^^^^^^^^^",
      '  An enum value must be camelCase; "x" is not. Did you mean "y"?   generator explain NAM-4',
      "",
    ].join("\n"),
  );
});

test("diagnostics are sorted by file and position, and each is printed once", () => {
  const found = [at("b:1:1", ""), at("a:10:1", ""), at("a:9:2", ""), at("a:9:2", "")];
  const places = format(found).match(/^[ab]:\d+:\d+/gm);
  expect(places).toEqual(["a:9:2", "a:10:1", "b:1:1"]);
  expect(toValues(found).length).toBe(3);
});

test("nothing found prints nothing", () => {
  expect(format([])).toBe("");
  expect(toValues([])).toEqual([]);
});

test("a long line is cut around the place, and what a terminal would obey is masked", () => {
  const source = `${"x".repeat(500)}\u001b[31m\u202e!${"y".repeat(500)}`;
  const [, line = "", mark = ""] = format([at("a:1:507", source, 1)]).split("\n");
  expect(line.length).toBeLessThan(130);
  expect(line).not.toMatch(/[\u001b\u202e]/);
  expect(line[mark.indexOf("^")]).toBe("!");
});

test("only the colour argument puts escapes into the text", () => {
  const found = [at("a:1:1", "x")];
  expect(format(found)).not.toContain("\u001b");
  const coloured = format(found, { colour: true });
  expect(coloured).toContain("\u001b[31m");
  expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(format(found));
});

test("JSON has the same values", () => {
  expect(toValues([at("a:3:5", "x", 2)])).toEqual([
    {
      file: "a",
      line: 3,
      column: 5,
      endLine: 3,
      endColumn: 7,
      severity: "error",
      code: "NAM-4",
      message: 'An enum value must be camelCase; "x" is not.',
      suggestion: 'Did you mean "y"?',
      explain: "generator explain NAM-4",
    },
  ]);
});
