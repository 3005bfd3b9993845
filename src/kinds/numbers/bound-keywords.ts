import { ADVICE } from "../../diagnostics/advice.js";
import { mistake, type Mistake } from "../../diagnostics/diagnostic.js";
import { shown } from "../../diagnostics/quoted.js";
import type { Expected, KeywordMistake } from "../kind-keywords.js";
import type { PropertyObjectYaml } from "../property-yaml.js";
import { BOUNDS, type Bounds } from "./bounds.js";

/** The bounds of a number as they are written; a decimal's are strings or numbers, the other kinds' are numbers. */
export type BoundsYaml = Partial<Readonly<Record<keyof Bounds<unknown>, number | string>>>;

/** The JSON Schema of the bounds, which all numbers share. */
export const BOUND_KEYWORDS = {
  minimum: bound("The smallest value", 1, "0.00"),
  maximum: bound("The greatest value", 5, "99.99"),
  exclusiveMinimum: bound("Every value is greater than this", 0),
  exclusiveMaximum: bound("Every value is smaller than this", 100),
  multipleOf: bound("Every value is a multiple of this", 5, "0.05"),
};

function bound(meaning: string, ...examples: readonly (number | string)[]) {
  const description = `${meaning}. For a decimal, write it in quotes.`;
  return { description, type: ["number", "string"], examples };
}

/** How a kind of number counts. */
export interface Counting<N extends number | bigint> {
  /** What is wrong with the form of a bound, and what to write instead; null where nothing is. */
  formMistake(bound: unknown, keyword: string, yaml: PropertyObjectYaml): FormMistake | null;
  /** A bound or a value of the right form, as something to count with. */
  counted(value: unknown, yaml: PropertyObjectYaml): N | null;
  /** Whether a value is left between two bounds, of which at least one excludes itself. */
  hasBetween(low: N, high: N, excluded: { readonly low: boolean; readonly high: boolean }): boolean;
  isMultiple(value: N, step: N): boolean;
}

/** What is wrong with the form of a bound, and what to write instead. */
export interface FormMistake {
  readonly mistake: Mistake;
  readonly suggestion: string | null;
}

/** What is wrong with the bounds of a number: each of the right form, and none that leaves no value. */
export function boundMistakes<N extends number | bigint>(
  yaml: PropertyObjectYaml,
  counting: Counting<N>,
): KeywordMistake[] {
  const malformed = BOUNDS.flatMap((keyword) => {
    const found =
      yaml[keyword] === undefined ? null : counting.formMistake(yaml[keyword], keyword, yaml);
    return found === null ? [] : [{ keyword, part: "value" as const, ...found }];
  });
  const proper = (keyword: keyof BoundsYaml): N | null =>
    yaml[keyword] === undefined || malformed.some((one) => one.keyword === keyword)
      ? null
      : counting.counted(yaml[keyword], yaml);
  const step = proper("multipleOf");
  return [
    ...malformed,
    ...(step !== null && step <= 0 ? [atKey("multipleOf", mistake("SCH-104", {}))] : []),
    ...(twiceBounded(yaml) ?? rangeMistakes(yaml, proper, counting)),
  ];
}

function atKey(keyword: string, found: Mistake, suggestion: string | null = null): KeywordMistake {
  return { keyword, part: "key", mistake: found, suggestion };
}

/** A bound that includes itself beside one that does not. */
function twiceBounded(yaml: PropertyObjectYaml): KeywordMistake[] | null {
  const pairs = [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const;
  const found = pairs.find(
    ([inclusive, exclusive]) => yaml[inclusive] !== undefined && yaml[exclusive] !== undefined,
  );
  if (found === undefined) return null;
  const [inclusive, exclusive] = found;
  return [atKey(exclusive, mistake("SCH-105", { inclusive, exclusive }), ADVICE.removeOne)];
}

function rangeMistakes<N extends number | bigint>(
  yaml: PropertyObjectYaml,
  proper: (keyword: keyof BoundsYaml) => N | null,
  { hasBetween }: Counting<N>,
): KeywordMistake[] {
  const low = yaml.minimum === undefined ? "exclusiveMinimum" : "minimum";
  const high = yaml.maximum === undefined ? "exclusiveMaximum" : "maximum";
  const [from, to] = [proper(low), proper(high)];
  if (from === null || to === null) return [];
  const excluded = { low: low !== "minimum", high: high !== "maximum" };
  const isEmpty = excluded.low || excluded.high ? !hasBetween(from, to, excluded) : from > to;
  if (!isEmpty) return [];
  const given = { low, from: yaml[low] ?? "", high, to: yaml[high] ?? "" };
  return [atKey(low, mistake("SCH-13", given))];
}

/** Says whether a value keeps to a bound. */
const HOLDS = {
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
} as const satisfies Record<string, (value: number | bigint, bound: number | bigint) => boolean>;

/** Which bound a value of the right form does not keep; null where it keeps all. */
export function boundsMistake<N extends number | bigint>(
  value: unknown,
  { yaml, role }: Expected,
  { counted, isMultiple }: Counting<N>,
): Mistake | null {
  const own = counted(value, yaml);
  if (own === null) return null;
  for (const bound of ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const) {
    const bounded = counted(yaml[bound], yaml);
    if (bounded === null || HOLDS[bound](own, bounded)) continue;
    return mistake("SCH-98", { role, value: shown(value), bound, limit: String(yaml[bound]) });
  }
  const step = counted(yaml.multipleOf, yaml);
  if (step === null || step <= 0 || isMultiple(own, step)) return null;
  return mistake("SCH-99", { role, value: shown(value), multipleOf: String(yaml.multipleOf) });
}

/** A bound that is not a number of the kind. */
export function notANumber(
  bound: unknown,
  key: string,
  expected: string,
  suggestion: string | null = null,
): FormMistake {
  return { mistake: mistake("SCH-8", { key, expected, read: shown(bound) }), suggestion };
}

/** The bounds as the model has them; `convert` makes each a number of the kind. */
export function normaliseBounds<N>(
  yaml: PropertyObjectYaml,
  convert: (bound: number | string) => N,
): Bounds<N> {
  const bound = (value: number | string | undefined): N | null =>
    value === undefined ? null : convert(value);
  return {
    minimum: bound(yaml.minimum),
    maximum: bound(yaml.maximum),
    exclusiveMinimum: bound(yaml.exclusiveMinimum),
    exclusiveMaximum: bound(yaml.exclusiveMaximum),
    multipleOf: bound(yaml.multipleOf),
  };
}
