import { ADVICE } from "../diagnostics/advice.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";

/** G13: two properties whose names differ only in case would be one column of the database. */
export function checkSiblings(properties: readonly PropertyPlace[], findings: Findings): void {
  const first = new Map<string, PropertyPlace>();
  for (const property of properties.filter(({ isItem }) => !isItem)) {
    const { name, path } = property;
    const key = folded(path);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, property);
      continue;
    }
    const suggestion = ADVICE.rename;
    findings.add("SCH-129", { path, part: "key" }, { name, other: earlier.name }, { suggestion });
  }
}

function folded(path: readonly PathStep[]): string {
  return [...path.slice(0, -1), String(path.at(-1)).toLowerCase()].join("\0");
}
