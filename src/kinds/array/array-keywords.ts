import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import { isObject } from "../../samples/json.js";
import { keptDecimal } from "../decimal/decimal-value.js";
import type { Expected, KeywordMistake, KindKeywords } from "../kind-keywords.js";
import { kindNamed } from "../kinds.js";
import { firstMistake, partMistake } from "../part-mistake.js";
import { kindNameOf, longForm, type PropertyObjectYaml } from "../property-yaml.js";
import { sizeMistakes } from "../size-mistakes.js";
import type { ArrayYaml } from "./array-type.js";

/** What a file can say of an array. */
export const arrayKeywords: KindKeywords<ArrayYaml> = {
  spelling: "type",
  synonyms: ["list"],
  shape: "{ type: array, items: ... }",
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
  isOrdered: () => false,
  valueCount: () => null,
  keywordMistakes: (yaml, { arrayItems }) => {
    const { minItems = 0, maxItems } = yaml;
    const size = { low: "minItems", from: minItems, high: "maxItems", to: maxItems ?? arrayItems };
    return [...sizeMistakes(size), ...varietyMistakes(yaml)];
  },
  valueMistake: (value, expected) =>
    Array.isArray(value)
      ? itemsMistake(value, expected)
      : mistake("SCH-15", { role: expected.role, value: shown(value), expected: "a list" }),
};

/** What is wrong with a list without repetitions that wants more items than there are values. */
function varietyMistakes({
  items = "string",
  minItems = 0,
  uniqueItems,
}: ArrayYaml): KeywordMistake[] {
  const yaml = longForm(items);
  const kind = kindNameOf(yaml);
  const count = kind === null ? null : kindNamed(kind).valueCount(yaml);
  if (uniqueItems !== true || count === null || minItems <= count) return [];
  const found = mistake("SCH-361", { minItems, count });
  const suggestion = `Write minItems: ${count} at most, allow more values, or remove uniqueItems.`;
  return [{ keyword: "minItems", part: "key", mistake: found, suggestion }];
}

function itemsMistake(value: readonly unknown[], expected: Expected): Mistake | null {
  const { yaml, role, scope } = expected;
  const { length } = value;
  const { minItems = 0, maxItems = scope.arrayItems, items, uniqueItems } = yaml;
  if (length < minItems) {
    return mistake("SCH-101", { role, length, bound: "minItems", limit: minItems });
  }
  if (length > maxItems) {
    return mistake("SCH-101", { role, length, bound: "maxItems", limit: maxItems });
  }
  if (items === undefined) return null;
  const wrong = firstMistake(value.map((item) => partMistake(item, items, expected)));
  if (wrong !== null || uniqueItems !== true) return wrong;
  const place = repeatedPlace(value.map((item) => keyOf(item, longForm(items))));
  return place < 0 ? null : mistake("SCH-130", { role, value: shown(value[place]), place });
}

/** Where a key stands that stands before, too; -1 where each stands once. */
function repeatedPlace(keys: readonly string[]): number {
  const first = new Map<string, number>();
  return keys.findIndex((key, index) => {
    if (!first.has(key)) first.set(key, index);
    return first.get(key) !== index;
  });
}

/** A text that equal items share: `1.5` and `1.50` are one decimal, and the order of names counts for nothing. */
function keyOf(item: unknown, yaml: PropertyObjectYaml): string {
  const kept = kindNameOf(yaml) === "decimal" ? keptDecimal(item, yaml.scale ?? 0) : item;
  return JSON.stringify(kept, (_name, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byName)) : inner,
  );
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
