import type { ArrayType } from "../kinds/array/array-type.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { Bounds } from "../kinds/numbers/bounds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { StringType } from "../kinds/string/string-type.js";
import { fitsText } from "../kinds/string/text-values.js";
import { valueOf } from "../kinds/values.js";
import { MISSING } from "./check.js";
import { isList, type Json } from "../samples/json.js";
import { decimalText, unitsOf } from "./decimal-units.js";
import type { Seed } from "../samples/seed.js";

/** A value that a property may not have. */
export interface Wrong {
  readonly value: Json;
  /** Where the mistake is, from the property on: `""`, `[1]`. */
  readonly at: string;
}

/** Values that a property may not have, of another type first; `seed` makes the right ones around them. */
export function wrongValues(property: PropertyModel, seed: Seed): readonly Wrong[] {
  const { type, nullable } = property;
  const wrong = type.kind === "array" ? wrongLists(property, type, seed) : wrongOfType(type);
  const isNeeded = !nullable && type.kind !== "array";
  const blanks: readonly Json[] = type.kind === "string" ? [null, "", "  "] : [null];
  return [...wrong, ...(isNeeded ? blanks : []).map((value) => ({ value, at: "" }))];
}

/** Values at the bounds of a type, which are allowed. */
export function edgeValues(type: PropertyType): readonly Json[] {
  switch (type.kind) {
    case "string": {
      const edges = [Math.max(type.minLength, 1), Math.min(type.maxLength, 1000)];
      return edges.map((length) => "x".repeat(length)).filter((text) => isFree(type, text));
    }
    case "integer":
    case "number":
    case "decimal":
      return [type.minimum, type.maximum].filter((bound) => bound !== null);
    case "enum":
    case "boolean":
    case "timestamp":
    case "uuid":
    case "object":
    case "reference":
    case "array":
      return [];
  }
}

function isFree(type: StringType, text: string): boolean {
  return type.format === null && fitsText(text, type);
}

function wrongOfType(type: Exclude<PropertyType, ArrayType>): readonly Wrong[] {
  const whole = scalars(type).map((value) => ({ value, at: "" }));
  if (type.kind !== "reference") return whole;
  const { name } = type.identifier;
  // Another service's identifiers are not known here.
  const ids = [null, "42", ...(type.target === null ? [] : [MISSING])];
  return [...whole, ...ids.map((id) => ({ value: { [name]: id }, at: `.${name}` }))];
}

function scalars(type: Exclude<PropertyType, ArrayType>): readonly Json[] {
  switch (type.kind) {
    case "string":
      return [7, true, ["text"], ...wrongTexts(type)];
    case "enum":
      return [7, "noSuchValue", ...type.values.slice(0, 1).map((value) => value.toUpperCase())];
    case "integer":
      return ["7", true, 7.5, 2 ** 53, ...beyond(type)];
    case "number":
      return ["7", true, ...beyond(type)];
    case "decimal":
      return [7, "text", `1.${"0".repeat(type.scale)}1`, "1e1", ...beyondDecimal(type, type.scale)];
    case "boolean":
      return ["true", 1];
    case "timestamp":
      return [7, "2024-02-29"];
    case "uuid":
      return [7, "not-a-uuid"];
    case "object":
    case "reference":
      return ["text", [{}]];
  }
}

function wrongTexts(type: StringType): readonly string[] {
  const { minLength, maxLength, pattern, format } = type;
  const long = "x".repeat(maxLength + 1);
  const short = minLength > 1 ? ["x".repeat(minLength - 1)] : [];
  if (pattern === null && format === null) return [long, ...short];
  const free = { ...type, pattern: null, format: null };
  const candidates = ["~ no such form ~", "~~", "(", "verify", "0", "x".repeat(minLength)];
  const unlike = candidates.filter(
    (text) => fitsText(text, free) && (format !== null || !fitsText(text, type)),
  );
  // No format allows a parenthesis alone, or a space.
  const formless = unlike.filter((text) => pattern !== null || /[ (~]/.test(text));
  return [long, ...short, ...formless.slice(0, 2)];
}

function beyond(bounds: Bounds<number>): readonly number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  return [
    ...(minimum === null ? [] : [minimum - 1]),
    ...(maximum === null ? [] : [maximum + 1]),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== null),
  ];
}

function beyondDecimal(bounds: Bounds<string>, scale: number): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  const next = (bound: string, step: bigint): string =>
    decimalText(unitsOf(bound, scale) + step, scale);
  return [
    ...(minimum === null ? [] : [next(minimum, -1n)]),
    ...(maximum === null ? [] : [next(maximum, 1n)]),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== null),
  ];
}

function wrongLists(property: PropertyModel, type: ArrayType, seed: Seed): readonly Wrong[] {
  const { items, minItems, maxItems, uniqueItems } = type;
  const made = valueOf(property, seed);
  const right = isList(made) ? made : [];
  const [first] = right;
  const whole: readonly Json[] = [7, "text", { first: 1 }];
  const tooFew = minItems > 0 ? [[]] : [];
  if (first === undefined) return [...whole, ...tooFew].map((value) => ({ value, at: "" }));
  const tooMany = maxItems < 1000 ? [Array.from({ length: maxItems + 1 }, () => first)] : [];
  const others = [{ value: null, at: "" }, ...wrongOfType(items)];
  return [
    ...[...whole, ...tooFew, ...tooMany].map((value) => ({ value, at: "" })),
    ...others.map(({ value, at }) => ({ value: [value, ...right.slice(1)], at: `[0]${at}` })),
    ...(uniqueItems && maxItems > 1 ? repeated(right, first, maxItems) : []),
  ];
}

/** A duplicate is named by its own place. */
function repeated(right: readonly Json[], first: Json, maxItems: number): readonly Wrong[] {
  const list = right.slice(0, maxItems - 1);
  return [{ value: [...list, first], at: `[${list.length}]` }];
}
