import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import type { Expected, KindKeywords } from "../kind-keywords.js";
import { firstMistake, partMistake } from "../part-mistake.js";
import { sizeMistakes } from "../size-mistakes.js";
import type { ArrayYaml } from "./array-type.js";

/** What a file can say of an array. */
export const arrayKeywords: KindKeywords<ArrayYaml> = {
  spelling: "type",
  keywords: {
    items: { $ref: "#/definitions/property" },
    minItems: {
      description: "The minimum number of items of an array.",
      type: "integer",
      minimum: 0,
      maximum: 100_000,
      examples: [1],
    },
    maxItems: {
      description: "The maximum number of items of an array.",
      type: "integer",
      minimum: 1,
      maximum: 100_000,
      examples: [20],
    },
    uniqueItems: {
      description: "All items of an array differ.",
      type: "boolean",
      default: false,
      examples: [true],
    },
  },
  takes: ["example", "filterable"],
  demands: { items: "Add `items: string`, for example." },
  isOrdered: false,
  keywordMistakes: ({ minItems = 0, maxItems }, { arrayItems }) =>
    sizeMistakes({
      low: "minItems",
      from: minItems,
      high: "maxItems",
      to: maxItems ?? arrayItems,
    }),
  valueMistake: (value, expected) =>
    Array.isArray(value)
      ? itemsMistake(value, expected)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a list" }),
};

function itemsMistake(value: readonly unknown[], { yaml, role }: Expected): Mistake | null {
  const { length } = value;
  const { minItems = 0, maxItems = Infinity, items } = yaml;
  if (length < minItems) {
    return mistake("SCH-101", { role, length, bound: "minItems", limit: minItems });
  }
  if (length > maxItems) {
    return mistake("SCH-101", { role, length, bound: "maxItems", limit: maxItems });
  }
  if (items === undefined) return null;
  return firstMistake(value.map((item) => partMistake(item, items, role)));
}
