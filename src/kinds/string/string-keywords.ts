import { FORMATS } from "#kernel/input/formats";
import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { SCALAR_KEYWORDS, type Expected, type KindKeywords } from "../kind-keywords.js";
import { sizeMistakes } from "../size-mistakes.js";
import type { StringYaml } from "./string-type.js";

/** What a file can say of a text. */
export const stringKeywords: KindKeywords<StringYaml> = {
  spelling: "short",
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
  isOrdered: false,
  keywordMistakes: ({ minLength = 0, maxLength }, { stringCharacters }) =>
    sizeMistakes({
      low: "minLength",
      from: minLength,
      high: "maxLength",
      to: maxLength ?? stringCharacters,
    }),
  valueMistake: (value, expected) =>
    typeof value === "string"
      ? textMistake(value, expected)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a string" }),
};

function textMistake(text: string, { yaml, role }: Expected): Mistake | null {
  const length = [...text].length;
  const { minLength = 0, maxLength = Infinity, format } = yaml;
  if (text.trim() === "") return mistake("SCH-94", { role });
  if (length < minLength) {
    return mistake("SCH-95", { role, length, bound: "minLength", limit: minLength });
  }
  if (length > maxLength) {
    return mistake("SCH-95", { role, length, bound: "maxLength", limit: maxLength });
  }
  const value = shown(text);
  if (format !== undefined && !FORMATS[format].matches(text)) {
    return mistake("SCH-96", { role, value, format });
  }
  return matches(text, yaml.pattern) ? null : mistake("SCH-97", { role, value });
}

/** True as well for a pattern that is not valid: that is told elsewhere. */
function matches(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined || text.length > 200) return true;
  // A pattern that has not been proved to be linear is not run here on anything but simple texts.
  if (/[*+{].*[*+{]/.test(pattern)) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}
