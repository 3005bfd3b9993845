import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { diagnostic } from "../diagnostics/diagnostic.js";

/** The codes that say why a file is not the generator's to write. */
export type OwnershipCode = "OWN-1" | "OWN-3" | "OWN-4" | "OWN-6";

/** A diagnostic about the file at `path` as a whole. */
export function ownership(
  code: OwnershipCode,
  path: string,
  severity: "error" | "warning",
): Diagnostic {
  const span = { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const suggestion = severity === "error" ? WAYS_OUT[code] : null;
  return diagnostic(code, { span, source: "" }, { path }, { severity, suggestion });
}

const WAYS_OUT: Readonly<Record<OwnershipCode, string>> = {
  "OWN-1":
    "Undo the edit (git restore), and make it in the YAML or in src/custom. Or run with --force: a copy of the edited file is saved next to it first.",
  "OWN-3": "Replace the link with a real file or folder.",
  "OWN-4": "Move the file away, or run with --force: a copy is saved next to it first.",
  "OWN-6": "Move it away.",
};
