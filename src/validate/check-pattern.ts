import { mistake, type Mistake } from "../diagnostics/diagnostic.js";
import type { MessageArguments } from "../diagnostics/messages.js";
import type { Findings } from "./findings.js";
import { patternGrowth, type PatternGrowth } from "./linear-pattern.js";
import type { PropertyPlace } from "./property-place.js";

/** The most steps that a pattern may take: `maxLength` to the power of its degree. */
const STEPS = 1_000_000;

/** How the time of each valid pattern grows. */
export type PatternGrowths = ReadonlyMap<string, PatternGrowth>;

/** Finds how the time of the patterns of a resource grows, each once. */
export async function growthsOf(properties: readonly PropertyPlace[]): Promise<PatternGrowths> {
  const growths = new Map<string, PatternGrowth>();
  for (const { kind, yaml } of properties) {
    const { pattern } = yaml;
    if (kind !== "string" || pattern === undefined || growths.has(pattern)) continue;
    if (compileError(pattern) === null) growths.set(pattern, await patternGrowth(pattern));
  }
  return growths;
}

/** Whether a pattern of them matches so many characters in no time. */
export function isQuick(growths: PatternGrowths, pattern: string, length: number): boolean {
  const growth = growths.get(pattern);
  if (growth?.kind === "polynomial") return length ** growth.degree <= STEPS;
  return growth?.kind === "linear";
}

/** S14: a pattern is a regular expression (flag `u`) whose time is bounded. */
export function checkPattern(
  { kind, yaml, path }: PropertyPlace,
  findings: Findings,
  { growths }: { readonly growths: PatternGrowths },
): void {
  const { pattern } = yaml;
  if (kind !== "string" || pattern === undefined) return;
  const at = { path: [...path, "pattern"] };
  const invalid = syntaxMistake(pattern);
  if (invalid !== null) return findings.add("SCH-16", at, invalid);
  const growth = growths.get(pattern);
  const slow = growth === undefined ? null : growthMistake(growth, yaml.maxLength);
  if (slow !== null) {
    const suggestion =
      "Let no two repetitions match the same characters, or check it in custom code.";
    return findings.tell(slow, at, { suggestion });
  }
  if (!isAnchored(pattern)) {
    const suggestion = `To match the whole text, write "^(?:${pattern})$".`;
    findings.add("SCH-18", at, {}, { suggestion, severity: "warning" });
  }
}

/** Why the pattern is refused; a polynomial one is accepted when `maxLength` bounds its steps. */
function growthMistake(growth: PatternGrowth, maxLength: number | undefined): Mistake | null {
  switch (growth.kind) {
    case "linear":
      return null;
    case "exponential":
      return mistake("SCH-17", {});
    case "unknown":
      return mistake("SCH-111", {});
    case "polynomial": {
      const { degree } = growth;
      const longest = Math.floor(STEPS ** (1 / degree) + 1e-6);
      if (maxLength !== undefined && maxLength <= longest) return null;
      return mistake("SCH-112", { degree, longest });
    }
  }
}

/** The error in a pattern, and the character (from 1) from which on no text could have made it valid. */
function syntaxMistake(pattern: string): MessageArguments<"SCH-16"> | null {
  const said = compileError(pattern);
  if (said === null) return null;
  const characters = [...pattern];
  let position = characters.length;
  while (position > 1 && compileError(characters.slice(0, position - 1).join("")) === said) {
    position -= 1;
  }
  return { said, position };
}

/** The error message of the engine for an invalid pattern. */
function compileError(pattern: string): string | null {
  try {
    new RegExp(pattern, "u");
    return null;
  } catch (error) {
    // "Invalid regular expression: /(/u: Unterminated group"
    const message = error instanceof Error ? error.message : String(error);
    const reason = message.slice(message.lastIndexOf(": ") + 2);
    return reason.charAt(0).toLowerCase() + reason.slice(1);
  }
}

/** Says whether every alternative starts with `^` and ends with `$`. */
function isAnchored(pattern: string): boolean {
  return alternatives(pattern).every(
    (part) => part.startsWith("^") && /(?<!\\)(?:\\\\)*\$$/.test(part),
  );
}

/** The parts between every `|` outside groups and classes. */
function alternatives(pattern: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/gsu)) {
    if (token === "(") depth += 1;
    if (token === ")") depth -= 1;
    if (token === "|" && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + token);
  }
  return parts;
}
