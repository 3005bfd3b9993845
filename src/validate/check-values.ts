import { nearest } from "../naming/nearest.js";
import type { Findings } from "./findings.js";
import { looksSecret } from "./looks-secret.js";
import type { PropertyPlace } from "./property-place.js";
import type { PropertyObjectYaml } from "./resource-document.js";
import { valueSuggestion } from "./suggestions.js";
import { valueMistake } from "./value-problem.js";

/** A default and an example are values of their property, and no secrets. */
export function checkValues({ name, path, yaml, kind }: PropertyPlace, findings: Findings): void {
  for (const keyword of ["default", "example"] as const) {
    const value: unknown = yaml[keyword];
    if (value === undefined || kind === null || kind === "reference") continue;
    const isDefaultOfMany = keyword === "default" && (kind === "object" || kind === "array");
    const expected = { kind, yaml, role: keyword };
    const found = isDefaultOfMany ? null : valueMistake(value, expected);
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
  return near === null ? null : `Did you mean "${near}"?`;
}

function tellSecret(keyword: string, path: PropertyPlace["path"], findings: Findings): void {
  const suggestion = "Replace it, and revoke it if it is real.";
  findings.add("SCH-32", { path }, { keyword }, { suggestion, severity: "warning" });
}
