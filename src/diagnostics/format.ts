import type { Diagnostic } from "./diagnostic.js";
import { visible } from "./visible.js";

/** Columns of a line of the file that are shown at most. */
const FRAME_WIDTH = 120;

/**
 * Diagnostics as people read them: sorted by file and position, each once, with the line that it points at.
 * Ends in a line feed; "" when there are none.
 */
export function format(
  diagnostics: readonly Diagnostic[],
  { colour = false }: { readonly colour?: boolean } = {},
): string {
  const paint = colour ? COLOURED : PLAIN;
  // Many diagnostics can point into one text, so it is split into lines once.
  const lines = new Map<string, readonly string[]>();
  const lineOf = ({ span, source }: Diagnostic): string | undefined => {
    const known = lines.get(source) ?? source.split("\n");
    lines.set(source, known);
    return source === "" ? undefined : known[span.line - 1];
  };
  return sorted(diagnostics)
    .map((diagnostic) => `${formatOne(diagnostic, lineOf(diagnostic), paint)}\n`)
    .join("\n");
}

/** The same diagnostics as values, for programs. */
export function toValues(diagnostics: readonly Diagnostic[]): readonly object[] {
  return sorted(diagnostics).map(({ code, severity, message, suggestion, span, related }) => {
    const elsewhere = related?.map((one) => ({ ...one.span, message: one.message }));
    const own = { ...span, severity, code, message, suggestion, explain: wayToPage(code) };
    return elsewhere === undefined ? own : { ...own, related: elsewhere };
  });
}

/** Sorted by file and position, each once. */
export function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = ({ span, code, message }: Diagnostic): string =>
    [span.file, span.line, span.column, code, message].join("\0");
  const unique = new Map(diagnostics.map((diagnostic) => [key(diagnostic), diagnostic]));
  return [...unique.values()].sort(compare);
}

type Paint = (text: string, style: "error" | "warning" | "dim" | "bold") => string;
const PLAIN: Paint = (text) => text;
const STYLES = { error: 31, warning: 33, dim: 2, bold: 1 } as const;
const COLOURED: Paint = (text, style) => `\u001b[${STYLES[style]}m${text}\u001b[0m`;

function formatOne(diagnostic: Diagnostic, line: string | undefined, paint: Paint): string {
  const { span, severity, code, message, suggestion, related = [] } = diagnostic;
  const place = paint(`${visible(span.file)}:${span.line}:${span.column}`, "bold");
  const advice = suggestion === null ? "" : ` ${suggestion}`;
  const lines = [
    `${place}  ${paint(severity, severity)}  ${code}`,
    ...frame(diagnostic, line, paint),
    `  ${message}${advice}   ${paint(wayToPage(code), "dim")}`,
    ...related.map(
      (one) =>
        `  ${paint(`${visible(one.span.file)}:${one.span.line}:${one.span.column}`, "bold")}  ${one.message}`,
    ),
  ];
  return lines.join("\n");
}

/** The line that a diagnostic points at, and a mark under the part that is meant. */
function frame({ span, severity }: Diagnostic, line: string | undefined, paint: Paint): string[] {
  if (line === undefined || line.trim() === "") return [];
  const from = Math.max(0, Math.min(span.column - 1 - 40, line.length - FRAME_WIDTH));
  const shown = line.slice(from, from + FRAME_WIDTH).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, masked);
  const start = span.column - 1 - from;
  const end = span.endLine === span.line ? span.endColumn - 1 - from : shown.length;
  const marks = "^".repeat(Math.max(1, Math.min(end, shown.trimEnd().length) - start));
  const number = String(span.line).padStart(5);
  const gutter = " ".repeat(number.length);
  return [
    `${paint(`${number} |`, "dim")} ${shown.trimEnd()}`,
    `${paint(`${gutter} |`, "dim")} ${" ".repeat(start)}${paint(marks, severity)}`,
  ];
}

/** A character that would move the cursor, or turn the text around, is shown as a mark of the same width. */
function masked(character: string): string {
  return character === "\t" ? " " : "\ufffd".repeat(character.length);
}

/** The pages are in the package, and not where the user is: this command shows one. */
function wayToPage(code: string): string {
  return `generator explain ${code}`;
}

/** By code unit, never by locale: every machine prints the same. */
function compare(one: Diagnostic, other: Diagnostic): number {
  return (
    byCodeUnit(one.span.file, other.span.file) ||
    one.span.line - other.span.line ||
    one.span.column - other.span.column ||
    byCodeUnit(one.code, other.code) ||
    byCodeUnit(one.message, other.message)
  );
}

function byCodeUnit(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
