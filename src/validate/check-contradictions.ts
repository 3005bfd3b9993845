import { ADVICE } from "../diagnostics/advice.js";
import { kindNamed } from "../kinds/kinds.js";
import { kindNameOf, longForm, type PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { At, Findings } from "./findings.js";
import { longestMatch } from "./linear-pattern.js";
import type { PropertyPlace } from "./property-place.js";

/** An index entry of PostgreSQL has at most 2,704 bytes, and a character up to 4. */
export const UNIQUE_CHARACTERS = 512;

/** Keywords that are valid alone and contradict each other. */
export function checkContradictions(property: PropertyPlace, findings: Findings): void {
  const { yaml, path, kind } = property;
  const at = (keyword: string): At => ({ path: [...path, keyword], part: "key" });

  if (yaml.filterable === "range" && kind !== null && !kindNamed(kind).isOrdered(yaml)) {
    const suggestion = "Write `filterable: true`.";
    findings.add("SCH-210", { path: [...path, "filterable"] }, {}, { suggestion });
  }
  const isKnown = kind !== null && kindNamed(kind).takes.includes("filterable");
  if (yaml.filterable === "search" && isKnown && !isText(yaml)) {
    const suggestion = `Write \`filterable: ${kindNamed(kind).isOrdered(yaml) ? "range" : "true"}\`.`;
    findings.add("SCH-435", { path: [...path, "filterable"] }, {}, { suggestion });
  }
  if (yaml.unique === true && yaml.default !== undefined) {
    findings.add("SCH-33", at("default"), {}, { suggestion: ADVICE.removeOne });
  }
  const atRoot = property.holders.length === 0;
  if (
    yaml.unique === true &&
    atRoot &&
    kind === "string" &&
    longest(property) > UNIQUE_CHARACTERS
  ) {
    const suggestion = "Add `maxLength: 200`, for example.";
    findings.add("SCH-107", at("unique"), { most: UNIQUE_CHARACTERS }, { suggestion });
  }
  if (yaml.readOnly === true && yaml.immutable === true) {
    findings.add("SCH-108", at("immutable"), {}, { suggestion: ADVICE.removeOne });
  }
  const unwritten = yaml.readOnly === true && yaml.required === true && yaml.default === undefined;
  if (unwritten && kind !== "array" && kind !== null) {
    const suggestion = "Add a `default`, or remove `required`.";
    findings.add("SCH-109", at("required"), {}, { suggestion });
  }
}

/** Whether it can be searched: a text, or a list of texts. A list of objects is told for each of its filters (SCH-14). */
export function isText({ items, ...yaml }: PropertyObjectYaml): boolean {
  const kind = kindNameOf(yaml);
  if (kind !== "array") return kind === "string";
  return ["string", "object"].includes(String(kindNameOf(longForm(items ?? "string"))));
}

/** The most characters that a text can have. */
export function longest({ yaml }: PropertyPlace): number {
  const { maxLength = Infinity, format, pattern } = yaml;
  const ofFormat = format === undefined || format === "uri" ? Infinity : 254;
  const ofPattern = pattern === undefined ? Infinity : longestMatch(pattern);
  return Math.min(maxLength < Infinity ? maxLength : ofFormat, ofPattern);
}
