import { didYouMean } from "../diagnostics/advice.js";
import type { ValueScope } from "../kinds/kind-keywords.js";
import { kindNamed } from "../kinds/kinds.js";
import type { PropertyObjectYaml } from "../kinds/property-yaml.js";
import { nearest } from "../naming/nearest.js";
import type { Findings } from "./findings.js";
import { looksSecret } from "./looks-secret.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";
import { valueSuggestion } from "./suggestions.js";

/** The bounds of a property: each of the right form, and none that leaves no value. */
export function checkBounds(
  { kind, yaml, path }: PropertyPlace,
  findings: Findings,
  scope: Scope,
): void {
  if (kind === null) return;
  for (const { keyword, part, mistake, suggestion } of kindNamed(kind).keywordMistakes(
    yaml,
    scope,
  )) {
    findings.tell(mistake, { path: [...path, keyword], part }, { suggestion });
  }
}

/** A default and an example are values of their property, and no secrets. */
export function checkValues(
  { name, path, yaml, kind }: PropertyPlace,
  findings: Findings,
  scope: ValueScope,
): void {
  for (const keyword of ["default", "example"] as const) {
    const value: unknown = yaml[keyword];
    // What the kind does not take has been told.
    if (value === undefined || kind === null || !kindNamed(kind).takes.includes(keyword)) continue;
    const found = kindNamed(kind).valueMistake(value, { yaml, role: keyword, scope });
    const at = { path: [...path, keyword] };
    if (found !== null) {
      const suggestion =
        suggestionFor(value, yaml, findings.written(at)) ?? `Change the ${keyword}.`;
      findings.tell(found, at, { suggestion });
    } else if (looksSecret(value, keyword === "default" ? name : "")) {
      tellSecret(keyword, at.path, findings);
    }
  }
  if (looksSecret(yaml.description, ""))
    tellSecret("description", [...path, "description"], findings);
}

function suggestionFor(value: unknown, yaml: PropertyObjectYaml, written: string): string | null {
  if (yaml.type !== undefined && yaml.type !== "string") {
    return valueSuggestion([yaml.type], value, written);
  }
  const near = nearest(String(value), yaml.enum ?? []);
  return didYouMean(near);
}

function tellSecret(keyword: string, path: PropertyPlace["path"], findings: Findings): void {
  const suggestion = "Replace it, and revoke it if it is real.";
  findings.add("SCH-32", { path }, { keyword }, { suggestion, severity: "warning" });
}
