import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { format, sorted } from "../diagnostics/format.js";
import type { Terminal } from "./terminal.js";

/** Every diagnostic with the line that it is about, what is wrong, and what to do; then how many there are. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], terminal: Terminal): void {
  if (diagnostics.length === 0) return;
  const text = format(diagnostics, { colour: terminal.colors.isColorSupported });
  const all = sorted(diagnostics);
  terminal.err(`${text}\n${countText(all)}. More: generator explain ${all[0]?.code}\n`);
}

function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(diagnostics.length - errors, "warning")];
  return counts.filter((text) => !text.startsWith("0 ")).join(", ");
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
