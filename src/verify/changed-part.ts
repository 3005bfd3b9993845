import type { PropertyModel } from "../kinds/property-model.js";
import { innerType } from "../model/leaves.js";
import type { ShownFact } from "../model/shown-facts.js";
import {
  isEqual,
  isList,
  isObject,
  mergedWith,
  type Json,
  type JsonObject,
} from "../samples/json.js";

/** What two versions show of one thing. */
interface Both<Value extends Json> {
  readonly older: Value;
  readonly newer: Value;
}

/** The same, and something else that the older version may hold. */
interface Changeable<Value extends Json> extends Both<Value> {
  readonly fresh: Value;
}

/** A change of one plain value of each object, at any depth: what a PATCH of the older version says, and what of the newer one then changes. */
export function changedPart(
  { older, newer, fresh }: Changeable<JsonObject>,
  properties: readonly PropertyModel[],
  facts: readonly ShownFact[],
): Both<JsonObject> {
  const changes = facts.flatMap((fact) => {
    const property = properties.find(({ name }) => name === fact.older);
    if (property === undefined || property.readOnly) return [];
    const valueIn = (object: JsonObject, name: string): Json => object[name] ?? null;
    const values = {
      older: valueIn(older, fact.older),
      newer: valueIn(newer, fact.newer),
      fresh: valueIn(fresh, fact.older),
    };
    const type = innerType(property.type);
    const isPlain = fact.members.length === 0 && fact.instead.length === 0 && !property.unique;
    const change =
      type.kind === "object"
        ? changedObjects(values, type.properties, fact)
        : isPlain && !isEqual(values.older, values.fresh)
          ? { older: values.fresh, newer: values.fresh }
          : null;
    return change === null ? [] : [{ fact, change, isPlain }];
  });
  const first = changes.find(({ isPlain }) => isPlain);
  const made = changes.filter((one) => !one.isPlain || one === first);
  return {
    older: Object.fromEntries(made.map(({ fact, change }) => [fact.older, change.older])),
    newer: Object.fromEntries(made.map(({ fact, change }) => [fact.newer, change.newer])),
  };
}

/** The same in an object, or in each item of a list, which is sent as a whole; null where there is no object. */
function changedObjects(
  { older, newer, fresh }: Changeable<Json>,
  properties: readonly PropertyModel[],
  fact: ShownFact,
): Both<Json> | null {
  if (isObject(older) && isObject(newer) && isObject(fresh)) {
    return changedPart({ older, newer, fresh }, properties, fact.members);
  }
  // Items that would be alike are one.
  if (!isList(older) || !isList(newer) || !isList(fresh) || fact.isUnique) return null;
  const items = older.map((item, index) => {
    const other = newer[index];
    const model = fresh[index % fresh.length];
    if (!isObject(item) || !isObject(other) || !isObject(model)) return null;
    const part = changedPart({ older: item, newer: other, fresh: model }, properties, fact.members);
    return { older: mergedWith(item, part.older), newer: mergedWith(other, part.newer) };
  });
  const known = items.filter((item) => item !== null);
  if (known.length < newer.length) return null;
  return { older: known.map((item) => item.older), newer: known.map((item) => item.newer) };
}

/**
 * An object of the newer version without what the older one only reads in items of lists: a list is sent as a whole, so that an
 * item which is sent as another one takes that from it, and a new one has nothing.
 */
export function sentInItems(
  newer: JsonObject,
  properties: readonly PropertyModel[],
  facts: readonly ShownFact[],
  isItem = false,
): JsonObject {
  const entries = facts.flatMap((fact): (readonly [string, Json])[] => {
    const property = properties.find(({ name }) => name === fact.older);
    const value = newer[fact.newer];
    if (property === undefined || value === undefined) return [];
    const type = innerType(property.type);
    if (isItem && property.readOnly) return [[fact.newer, null]];
    if (type.kind !== "object" || property.readOnly) return [];
    const inside = (inner: Json): Json =>
      isObject(inner)
        ? sentInItems(inner, type.properties, fact.members, isItem || isList(value))
        : inner;
    return [[fact.newer, isList(value) ? value.map(inside) : inside(value)]];
  });
  return { ...newer, ...Object.fromEntries(entries) };
}
