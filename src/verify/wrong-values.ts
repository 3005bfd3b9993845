import type { ArrayType } from "../kinds/array/array-type.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { valueOf } from "../kinds/values.js";
import { MISSING } from "./check.js";
import { isList, type Json } from "../samples/json.js";
import { readingOf } from "./readings.js";
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

function wrongOfType(type: Exclude<PropertyType, ArrayType>): readonly Wrong[] {
  const whole = readingOf(type)
    .wrong(type)
    .map((value) => ({ value, at: "" }));
  if (type.kind !== "reference") return whole;
  const { name, type: form } = type.identifier;
  // Another service's identifiers are not known here.
  const unknown = type.target === null ? [] : [MISSING];
  const ids = [null, form.kind === "string" ? " " : "42", ...unknown];
  return [...whole, ...ids.map((id) => ({ value: { [name]: id }, at: `.${name}` }))];
}

function wrongLists(property: PropertyModel, type: ArrayType, seed: Seed): readonly Wrong[] {
  const { items, minItems, maxItems, uniqueItems } = type;
  const made = valueOf(property, seed);
  const right = isList(made) ? made : [];
  const [first] = right;
  const whole = readingOf(type).wrong(type);
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
