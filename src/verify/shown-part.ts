import type { ShownFact } from "../model/shown-facts.js";
import { isEqual, isList, isObject, type Json, type JsonObject } from "../samples/json.js";

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

/** Where something that the older version cannot see is another after a change of what it sees; null: nowhere. */
export function unseenChange(
  before: Json | undefined,
  after: Json | undefined,
  fact: ShownFact,
): string | null {
  if (isList(before) && isList(after)) {
    const shown = before.map((item) => expectedValue(item, fact));
    const isSent = after.some((item) =>
      shown.some((one) => isEqual(one, expectedValue(item, fact))),
    );
    const changes = before.map((item, index) => unseenChange(item, after[index], fact));
    // An item that is sent for another may stand anywhere.
    return isSent ? null : (changes.find((one) => one !== null) ?? null);
  }
  if (!isObject(before) || !isObject(after)) return null;
  const changed = fact.unseen.find((name) => !isEqual(before[name], after[name]));
  if (changed !== undefined) return `${fact.newer}.${changed}`;
  const inner = fact.members.map((member) =>
    unseenChange(before[member.newer], after[member.newer], member),
  );
  return inner.find((one) => one !== null) ?? null;
}
