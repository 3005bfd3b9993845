import { ADVICE } from "../diagnostics/advice.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";

/** SCH-190: warns where `exempt` stands at a name that follows the rule; `path` leads to what is exempt. */
export function tellNeedlessExemption(
  rule: "NAM-1" | "NAM-3" | "REP-4",
  path: readonly PathStep[],
  findings: Findings,
): void {
  const at = { path: [...path, "exempt", rule], part: "key" } as const;
  const telling = { suggestion: ADVICE.remove, severity: "warning" } as const;
  findings.add("SCH-190", at, { rule }, telling);
}
