import { repairable } from "../commands/repairs.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { format, sorted } from "../diagnostics/format.js";
import type { Terminal } from "./terminal.js";

/** The number of diagnostics that are printed without `--all`. */
const MANY = 50;

/** Every diagnostic with the line that it is about, what is wrong, and what to do; then how many there are. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  all: boolean,
  terminal: Terminal,
): void {
  if (diagnostics.length === 0) return;
  const found = sorted(diagnostics);
  const printed = all ? found : errorsFirst(found).slice(0, MANY);
  const text = format(printed, { colour: terminal.colors.isColorSupported });
  const rest = found.length - printed.length;
  const more = rest === 0 ? "" : `... and ${rest} more; --all shows them\n\n`;
  terminal.err(`${text}\n${more}${countText(found)}.${fixable(found)}\n`);
}

/** What `--fix` would do about them; "" where that is nothing. */
function fixable(diagnostics: readonly Diagnostic[]): string {
  const { length: number } = repairable(diagnostics);
  if (number === 0) return "";
  return ` "generator validate --fix" writes ${number === 1 ? "one name" : `${number} names`} as the rule asks.`;
}

/** Errors come first, so that warnings never push one out. */
function errorsFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  return [...diagnostics.filter(isError), ...diagnostics.filter((one) => !isError(one))];
}

function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(diagnostics.length - errors, "warning")];
  return counts.filter((text) => !text.startsWith("0 ")).join(", ");
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
