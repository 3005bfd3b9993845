import type { ShownFact } from "../model/shown-facts.js";
import { isList, isObject, type Json, type JsonObject } from "../samples/json.js";

/** What an older version has to show of an object of the newer one, as far as the schema says (VER-2). */
export function expectedOf(newer: JsonObject, facts: readonly ShownFact[]): JsonObject {
  return Object.fromEntries(
    facts.map((fact) => [fact.older, expectedValue(newer[fact.newer] ?? null, fact)] as const),
  );
}

/** The part of what an older version shows that `expectedOf` knows of. */
export function knownOf(older: JsonObject, facts: readonly ShownFact[]): JsonObject {
  return Object.fromEntries(
    facts.map((fact) => [fact.older, knownValue(older[fact.older] ?? null, fact.members)] as const),
  );
}

function expectedValue(value: Json, fact: ShownFact): Json {
  if (isList(value)) {
    const all = value.map((item) => expectedValue(item, fact));
    return fact.isUnique ? [...new Set(all)] : all;
  }
  if (isObject(value)) return fact.members.length > 0 ? expectedOf(value, fact.members) : value;
  return fact.instead.find(({ stored }) => stored === value)?.shown ?? value;
}

function knownValue(value: Json, members: readonly ShownFact[]): Json {
  if (members.length === 0) return value;
  if (isList(value)) return value.map((item) => knownValue(item, members));
  return isObject(value) ? knownOf(value, members) : value;
}
