import type { Findings } from "./findings.js";
import type { PropertyPlace } from "./property-place.js";

/** An index entry of PostgreSQL has at most 2,704 bytes, and a character up to 4. */
const UNIQUE_CHARACTERS = 512;

/** Keywords that are fine alone and mean nothing together. */
export function checkContradictions(property: PropertyPlace, findings: Findings): void {
  const { yaml, path, kind } = property;
  const tell = (keyword: string, problem: string, suggestion: string): void =>
    findings.add("SCH-33", { path: [...path, keyword], part: "key" }, { problem }, { suggestion });

  if (yaml.unique === true && yaml.default !== undefined) {
    tell(
      "default",
      "the second entity with the default of a unique property would be refused",
      "Remove one of them.",
    );
  }
  const atRoot = property.holders.length === 0;
  if (
    yaml.unique === true &&
    atRoot &&
    kind === "string" &&
    longest(property) > UNIQUE_CHARACTERS
  ) {
    const problem = `a unique text is indexed whole, so that it has at most ${UNIQUE_CHARACTERS} characters`;
    tell("unique", problem, "Add `maxLength: 200`, for example.");
  }
  if (yaml.readOnly === true && yaml.immutable === true) {
    tell(
      "immutable",
      "nobody can set a readOnly property, on create or later",
      "Remove one of them.",
    );
  }
  const unwritten = yaml.readOnly === true && yaml.required === true && yaml.default === undefined;
  if (unwritten && kind !== "array" && kind !== null) {
    const problem =
      "a readOnly property that is never null needs a value before your code writes one";
    tell("required", problem, "Add a `default`, or remove `required`.");
  }
}

/** The most characters that a text can have. */
function longest({ yaml }: PropertyPlace): number {
  if (yaml.maxLength !== undefined) return yaml.maxLength;
  return yaml.format === undefined || yaml.format === "uri" ? Infinity : 254;
}
