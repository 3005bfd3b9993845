import type { Place } from "../diagnostics/diagnostic.js";

/** The text of a schema file: no byte order mark, lines end in a line feed. */
export interface SchemaText {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The place of the characters from `start` to `end` (exclusive), counted from 0. */
export function placeAt({ path, text }: SchemaText, start: number, end: number): Place {
  const from = position(text, start);
  const to = position(text, Math.max(start, end));
  return {
    span: { file: path, ...from, endLine: to.line, endColumn: to.column },
    source: text,
  };
}

/** A place that stands for a whole file, or for a path where there is no text. */
export function placeOfFile(path: string): Place {
  return { span: { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 }, source: "" };
}

/** Counted only where a diagnostic is made, so that a correct file costs nothing. */
function position(
  text: string,
  offset: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}
