import type { PropertyModel } from "../../kinds/property-model.js";
import { itemLeavesOf, type ItemLeaves } from "../../model/leaves.js";
import type { ResourceModel } from "../../model/resource-model.js";
import {
  at,
  isEqual,
  isList,
  isObject,
  withValue,
  type Json,
  type JsonObject,
} from "../../samples/json.js";
import type { Check } from "../check.js";
import { resultsOf } from "../exchange.js";
import { compareValues } from "../order.js";
import type { Trial } from "../trial.js";
import { filtered, finds, textOf, type Parameter } from "./filtered-lists.js";

/** QRY-10: lists are filtered by what is inside of one item. */
export const ITEMS: readonly Check[] = [{ rule: "QRY-10", run: items }];

async function items(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean => filteredLists(resource).length > 0;
  const otherwise = "nothing inside the items of a list is filterable";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    for (const one of filteredLists(resource)) await itemsOf(trial, resource, one);
  });
}

/** The lists of objects that clients can fill, with what is filtered in them. */
function filteredLists({ properties }: ResourceModel): ItemLeaves[] {
  return itemLeavesOf(properties)
    .filter(({ list }) => list.path === list.name && !list.readOnly)
    .map(({ list, leaves }) => ({ list, leaves: leaves.filter(({ filterable }) => filterable) }))
    .filter(({ leaves }) => leaves.length > 0);
}

async function itemsOf(
  trial: Trial,
  resource: ResourceModel,
  { list, leaves }: ItemLeaves,
): Promise<void> {
  const { path, type } = list;
  const made = [await trial.make(resource), await trial.make(resource)];
  const [first, second] = made.flatMap((entity) => itemsIn(entity, path).slice(0, 1));
  if (first === undefined || second === undefined) return;
  const isPair = type.kind === "array" && type.maxItems >= 2;
  const entity = await trial.make(resource, { [path]: isPair ? [first, second] : [first] });
  const filled: Filled = { trial, resource, path, entity };
  for (const leaf of leaves) await asked(filled, [[leaf, first]]);
  const [one, other] = leaves.filter((leaf) => !isSame(filled, leaf, [first, second]));
  if (one !== undefined && other !== undefined) {
    for (const item of [first, second]) {
      await asked(filled, [
        [one, first],
        [other, item],
      ]);
    }
  }
  const ranges = leaves.filter(({ filterable }) => filterable === "range");
  for (const leaf of ranges) await atLeast(filled, leaf, first);
}

/** An entity that a list may have, with the path of its items. */
interface Filled {
  readonly trial: Trial;
  readonly resource: ResourceModel;
  readonly path: string;
  readonly entity: JsonObject;
}

/** Asks for one item that has what others have. */
async function asked(
  filled: Filled,
  wanted: readonly (readonly [leaf: PropertyModel, of: JsonObject])[],
): Promise<void> {
  const parameters = wanted.map(([leaf, of]): Parameter => {
    const value = valueOf(filled, leaf, of);
    return [leaf.path, value === null ? "" : textOf(value)];
  });
  await listed(filled, parameters, (item) =>
    wanted.every(([leaf, of]) => isSame(filled, leaf, [item, of])),
  );
}

async function atLeast(filled: Filled, leaf: PropertyModel, of: JsonObject): Promise<void> {
  const bound = valueOf(filled, leaf, of);
  if (bound === null) return;
  await listed(filled, [[`${leaf.path}.atLeast`, textOf(bound)]], (item) => {
    const value = valueOf(filled, leaf, item);
    return value !== null && compareValues(value, bound, leaf.type) >= 0;
  });
}

async function listed(
  { trial, resource, path, entity }: Filled,
  parameters: readonly Parameter[],
  passes: (item: JsonObject) => boolean,
): Promise<void> {
  const exchange = await filtered(trial, resource, parameters);
  const isMatch = (result: JsonObject): boolean => itemsIn(result, path).some(passes);
  if (isMatch(entity)) return finds(trial, exchange, { entity, isMatch });
  if (!trial.status(exchange, 200)) return;
  const others = resultsOf(exchange.answer).filter((result) => !isMatch(result));
  trial.expect(exchange, others.length === 0, `only entities of which one item has all of it`);
}

function isSame(
  filled: Filled,
  leaf: PropertyModel,
  [one, other]: readonly [JsonObject, JsonObject],
): boolean {
  return isEqual(valueOf(filled, leaf, one), valueOf(filled, leaf, other));
}

function valueOf({ entity, path }: Filled, leaf: PropertyModel, item: JsonObject): Json {
  return at(withValue(entity, path, item), leaf.path) ?? null;
}

function itemsIn(entity: JsonObject, path: string): readonly JsonObject[] {
  const found = at(entity, path);
  return isList(found) ? found.filter(isObject) : [];
}
