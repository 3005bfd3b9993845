import type { Mistake } from "../diagnostics/diagnostic.js";
import type { JsonSchema } from "./json-schema.js";
import type { PropertyObjectYaml } from "./property-yaml.js";

/** Keywords that several kinds take, and others do not. */
export type SharedKeyword = "default" | "example" | "filterable" | "sortable" | "unique";

/** What a kind that is one value without parts takes. */
export const SCALAR_KEYWORDS: readonly SharedKeyword[] = [
  "default",
  "example",
  "filterable",
  "sortable",
  "unique",
];

/** What bounds a text or an array that says nothing itself (LIM-1). */
export interface KindLimits {
  readonly stringCharacters: number;
  readonly arrayItems: number;
}

/** A mistake in the keywords of a property, and the keyword that it stands at. */
export interface KeywordMistake {
  readonly keyword: string;
  readonly part: "key" | "value";
  readonly mistake: Mistake;
  readonly suggestion: string | null;
}

/** What a value is of its property. */
export type ValueRole = "default" | "example" | "value";

/** What a value is held against: the keywords of its property. */
export interface Expected {
  readonly yaml: PropertyObjectYaml;
  readonly role: ValueRole;
  readonly scope: ValueScope;
}

/** What a kind cannot know of the values of a property by itself. */
export interface ValueScope extends KindLimits {
  /** Whether a pattern is known to match so many characters in no time. */
  isQuick(pattern: string, length: number): boolean;
}

/** What the check of a schema asks of a kind, and the JSON Schema of resource files. */
export interface KindKeywords<Y> {
  /**
   * How a file says it: `short` is a word for `type` that can stand alone (`title: string`), `type` is a word that
   * needs other keywords beside it, and `keyword` is said by a keyword of its own, without a type.
   */
  readonly spelling: "short" | "type" | "keyword";
  /** What other languages call it: `varchar`. */
  readonly synonyms: readonly string[];
  /** How a property of it is written, where a word alone is not enough: `{ enum: [open, closed] }`. */
  readonly shape: string | null;
  /** The keywords of its own, each with its JSON Schema, as editors show it. */
  readonly keywords: Readonly<Record<keyof Y, JsonSchema>>;
  /** The shared keywords that it takes. */
  readonly takes: readonly SharedKeyword[];
  /** The keywords that it cannot be without, each with what to write. */
  readonly demands: Readonly<Record<string, string>>;
  /** Whether the values of a property have an order that `atLeast` and the like can use (QRY-3, ALI). */
  isOrdered(yaml: PropertyObjectYaml): boolean;
  /** How many values a property can have; null where they are too many to run out, or where its keywords do not say. */
  valueCount(yaml: PropertyObjectYaml): number | null;
  /** What is wrong with its keywords: bounds of another form, or that leave no value. */
  keywordMistakes(yaml: PropertyObjectYaml, limits: KindLimits): readonly KeywordMistake[];
  /** Why a value of the schema (a default, an example) is not one of the property; null when it is one. */
  valueMistake(value: unknown, expected: Expected): Mistake | null;
}
