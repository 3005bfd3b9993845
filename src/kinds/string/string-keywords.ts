import { FORMATS, storageIssue } from "#runtime/input/text";
import { isBlank } from "#runtime/input/reader";
import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import {
  SCALAR_KEYWORDS,
  type Expected,
  type KindKeywords,
  type KindLimits,
} from "../kind-keywords.js";
import { sizeMistakes } from "../size-mistakes.js";
import type { StringYaml } from "./string-type.js";
import { TEXT_FORMS } from "./text-forms.js";

/** What a file can say of a text. */
export const stringKeywords: KindKeywords<StringYaml> = {
  spelling: "short",
  synonyms: ["text", "varchar"],
  shape: null,
  keywords: {
    minLength: {
      description: "The minimum number of characters of a string.",
      type: "integer",
      minimum: 0,
      maximum: 1_000_000,
      examples: [1],
    },
    maxLength: {
      description: "The maximum number of characters of a string.",
      type: "integer",
      minimum: 1,
      maximum: 1_000_000,
      examples: [200],
    },
    pattern: {
      description:
        "A regular expression (flag u) that a string must match. Patterns whose matching time can explode are refused.",
      type: "string",
      minLength: 1,
      maxLength: 256,
      examples: ["^[0-9]{4}$"],
    },
    format: {
      description: "The format of a string.",
      enum: Object.keys(FORMATS),
      examples: ["email"],
    },
  },
  takes: SCALAR_KEYWORDS,
  demands: {},
  // The text of a date sorts as the date does.
  isOrdered: ({ format }) => format === "date",
  valueCount: () => null,
  keywordMistakes: (yaml, limits) =>
    sizeMistakes({
      low: "minLength",
      from: yaml.minLength ?? 0,
      high: "maxLength",
      to: longestText(yaml, limits),
    }),
  valueMistake: (value, expected) =>
    typeof value === "string"
      ? textMistake(value, expected)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a string" }),
};

function textMistake(text: string, { yaml, role, scope }: Expected): Mistake | null {
  const length = [...text].length;
  const { minLength = 0, format, pattern } = yaml;
  const maxLength = longestText(yaml, scope);
  if (isBlank(text)) return mistake("SCH-94", { role });
  if (length < minLength) {
    return mistake("SCH-95", { role, length, bound: "minLength", limit: minLength });
  }
  if (length > maxLength) {
    return mistake("SCH-95", { role, length, bound: "maxLength", limit: maxLength });
  }
  const value = shown(text);
  if (storageIssue(text) !== null) return mistake("SCH-131", { role, value });
  if (format !== undefined && !FORMATS[format].matches(text)) {
    return mistake("SCH-96", { role, value, format });
  }
  const isTried = pattern !== undefined && scope.isQuick(pattern, length);
  return isTried && !new RegExp(pattern, "u").test(text)
    ? mistake("SCH-97", { role, value })
    : null;
}

/** The most characters of a text: its own bound, or that of its format or of all texts. */
export function longestText(
  { maxLength, format }: StringYaml,
  { stringCharacters }: KindLimits,
): number {
  return maxLength ?? (format === undefined ? stringCharacters : TEXT_FORMS[format].longest);
}
