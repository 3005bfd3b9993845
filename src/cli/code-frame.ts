import type { Diagnostic } from "../diagnostics/diagnostic.js";

/** Columns of a shown line; a longer one is cut around the place. */
const WIDTH = 90;

/** The line that a diagnostic points into and a mark below the place; "" when there is no text. */
export function codeFrame({ span, source }: Diagnostic): string {
  const line = source.split(/\r?\n/)[span.line - 1];
  if (line === undefined || line.trim() === "") return "";
  const end = span.endLine === span.line ? span.endColumn : line.length + 1;
  const start = Math.max(0, span.column - 1 - WIDTH / 2);
  const shown = visible(line.slice(start, start + WIDTH));
  const from = span.column - 1 - start;
  const length = Math.min(Math.max(1, end - span.column), Math.max(1, shown.length - from));
  const number = String(span.line).padStart(5);
  const gutter = " ".repeat(number.length);
  return `${number} | ${shown}\n${gutter} | ${" ".repeat(from)}${"^".repeat(length)}\n`;
}

/** One column for each character, and nothing that moves a terminal's cursor or turns its text. */
function visible(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
