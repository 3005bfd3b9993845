import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { codeFrame } from "./code-frame.js";
import type { Terminal } from "./terminal.js";

/** The diagnostics in reading order: by file, line, column and code, each once. */
export function inReadingOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyed = new Map(diagnostics.map((one) => [sortKey(one), one]));
  return [...keyed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Every diagnostic with the line that it is about, what is wrong, and what to do. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  const sorted = inReadingOrder(diagnostics);
  for (const one of sorted) terminal.err(`${diagnosticText(one, terminal)}\n`);
  if (sorted.length > 0) terminal.err(`${countText(sorted)}\n`);
}

function diagnosticText(one: Diagnostic, { colors }: Terminal): string {
  const { file, line, column } = one.span;
  const severity = one.severity === "error" ? colors.red("error") : colors.yellow("warning");
  const head = `${colors.bold(`${file}:${line}:${column}`)}  ${severity}  ${one.code}\n`;
  const advice = one.suggestion === null ? "" : ` ${one.suggestion}`;
  const page = colors.dim(`docs/diagnostics/${one.code}.md`);
  return `${head}${codeFrame(one)}  ${one.message}${advice}   ${page}\n`;
}

function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(diagnostics.length - errors, "warning")];
  return counts.filter((text) => !text.startsWith("0 ")).join(", ");
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function sortKey({ span, code, message }: Diagnostic): string {
  const numbers = [span.line, span.column].map((number) => String(number).padStart(9, "0"));
  return [span.file, ...numbers, code, message].join("\0");
}
