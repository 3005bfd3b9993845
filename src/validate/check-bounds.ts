import { kindNamed } from "../kinds/kinds.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";
import type { Scope } from "./scope.js";

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
