import type { Repair } from "../commands/repairs.js";
import type { Terminal } from "./terminal.js";

/** The names that `--fix` has written anew, a line each. */
export function printRepairs(repairs: readonly Repair[], { colors, out }: Terminal): void {
  for (const { span, before, after } of repairs) {
    const place = `${span.file}:${span.line}:${span.column}`;
    out(`${colors.green("fixed")}  ${place}  ${before} -> ${after}\n`);
  }
  if (repairs.length === 0) out("Nothing could be fixed.\n");
}
