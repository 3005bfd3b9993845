import type { ResourceModel } from "../../model/resource-model.js";
import { isEqual, type Json, type JsonObject } from "../../samples/json.js";
import { query } from "../check.js";
import { resultsOf, type Exchange } from "../exchange.js";
import type { Trial } from "../trial.js";

/** The name of a parameter, and its value. */
export type Parameter = readonly [string, string];

/** A list by some parameters, the newest first, so that new entities are on the first page. */
export async function filtered(
  trial: Trial,
  resource: ResourceModel,
  parameters: readonly Parameter[],
): Promise<Exchange> {
  const size = String(resource.paging.maximumSize);
  const paging: readonly Parameter[] = [
    ["sort", "-createdDate"],
    ["pageSize", size],
  ];
  return trial.get(resource.path + query(...parameters, ...paging));
}

/** The text of a value in a query. */
export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Expects this entity among the results, and nothing that the test refuses. */
export function finds(
  trial: Trial,
  exchange: Exchange,
  { entity, isMatch }: { entity: JsonObject; isMatch: (result: JsonObject) => boolean },
): void {
  if (!trial.status(exchange, 200)) return;
  const results = resultsOf(exchange.answer);
  trial.expect(
    exchange,
    results.some((result) => isSame(result, entity)),
    "the entity just made",
  );
  const others = results.filter((result) => !isMatch(result));
  trial.expect(
    exchange,
    others.length === 0,
    "only entities that match",
    JSON.stringify(others[0]),
  );
}

/** By the identifier, under any of its names. */
function isSame(left: JsonObject, right: JsonObject): boolean {
  return Object.keys(right).every((name) => !/Id$/.test(name) || isEqual(left[name], right[name]));
}
