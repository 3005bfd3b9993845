import type { Diagnostic } from "../../src/diagnostics/diagnostic.js";

/** What is wrong with a fixture that should be right. */
export function failureText(fixture: string, diagnostics: readonly Diagnostic[]): string {
  const lines = diagnostics.map(
    ({ code, message, span }) => `${span.file}:${span.line}:${span.column} ${code} ${message}`,
  );
  return [`fixtures/${fixture} is refused:`, ...lines].join("\n");
}
