import type { PathStep } from "../load/source-document.js";
import { isCamelCase } from "../naming/casing.js";
import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";

/** Words that YAML 1.1 reads as true or false. */
const BOOLEAN = /^(?:y|n|yes|no|on|off)$/i;
const TIME =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?$|^[-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?$/;
const NUMBER = /^[-+]?[0-9][0-9_]*_[0-9_]*(?:\.[0-9_]*)?$/;

/** Says whether YAML 1.1 reads a plain word as true or false, so that it is written in quotes. */
export function needsQuotes(word: string): boolean {
  return BOOLEAN.test(word);
}

/** SCH-35: a string that YAML 1.1 reads as something else needs quotes. */
export function checkAmbiguousText(
  text: unknown,
  path: readonly PathStep[],
  findings: Findings,
): void {
  if (typeof text !== "string") return;
  const other = needsQuotes(text)
    ? "a boolean"
    : TIME.test(text)
      ? "a date or a time"
      : NUMBER.test(text)
        ? "a number"
        : null;
  if (other !== null) tell(text, other, { path, severity: "error" }, findings);
}

/** The same for the parts of a property: only words for true and false, since a date may well be meant. */
export function checkAmbiguous(property: PropertyPlace, findings: Findings): void {
  const { name, path, yaml, kind, isItem } = property;
  if (!isItem && needsQuotes(name)) {
    tell(name, "a boolean", { path, part: "key", severity: "warning" }, findings);
  }
  checkAmbiguousText(yaml.description, [...path, "description"], findings);
  const isText = kind === "enum" || kind === "string";
  const values: unknown = yaml.enum;
  const texts = [
    [isText ? yaml.default : null, [...path, "default"]],
    [isText ? yaml.example : null, [...path, "example"]],
    // NAM-4 tells what is not camelCase, and how to write it instead.
    ...list(values).map((value, index) =>
      typeof value === "string" && isCamelCase(value)
        ? ([value, [...path, "enum", index]] as const)
        : ([null, []] as const),
    ),
  ] as const;
  for (const [text, at] of texts) {
    if (typeof text === "string" && needsQuotes(text)) {
      tell(text, "a boolean", { path: at, severity: "error" }, findings);
    }
  }
}

function list(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function tell(
  text: string,
  other: string,
  at: {
    readonly path: readonly PathStep[];
    readonly part?: "key";
    readonly severity: "error" | "warning";
  },
  findings: Findings,
): void {
  const { severity, ...place } = at;
  if (findings.written(place) !== text) return;
  const suggestion = `Write "${text}" in quotes.`;
  findings.add("SCH-35", place, { text, other }, { suggestion, severity });
}
