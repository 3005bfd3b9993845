import { ADVICE } from "../diagnostics/advice.js";
import type { PathStep } from "../load/source-document.js";
import { checkAmbiguousText } from "./check-ambiguous.js";
import type { Findings } from "./findings.js";
import { looksSecret } from "./looks-secret.js";
import type { Mapping } from "./plain.js";
import type { PropertyPlace } from "./property-place.js";
import type { CheckedResource } from "./read-resource.js";

/** G9: properties of a resource, nested ones included. */
const PROPERTIES = 200;

/** Texts for the OpenAPI document mean the same to every YAML parser, and contain no secret. */
export function checkDescription({ description }: Mapping, findings: Findings): void {
  const path = ["description"];
  checkAmbiguousText(description, path, findings);
  if (!looksSecret(description, "")) return;
  findings.add("SCH-32", { path }, { keyword: "description" }, { severity: "warning" });
}

/** SCH-6: a resource has no more properties than anybody can look through. */
export function checkCount({ properties, findings }: CheckedResource): void {
  const count = properties.filter(({ isItem }) => !isItem).length;
  if (count <= PROPERTIES) return;
  const at = { path: ["properties"], part: "key" } as const;
  const given = { what: "The resource", size: count, limit: PROPERTIES, unit: "properties" };
  findings.add("SCH-6", at, given);
}

/** G13: two properties whose names differ only in case would be one column of the database. */
export function checkSiblings({ properties, findings }: CheckedResource): void {
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
