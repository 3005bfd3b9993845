import type { ResourceModel } from "../model/resource-model.js";
import { leastBody } from "./bodies.js";
import { mayDo, type Caller } from "./caller.js";
import { isObject, without, type JsonObject } from "../samples/json.js";
import type { Exchange } from "./exchange.js";
import { led } from "./led.js";
import { needsOthers } from "./sendable.js";
import type { Trial } from "./trial.js";

/**
 * Creates an entity as a caller: a child under a parent of that caller, without references that it may not use (AUT-2).
 * Null if that is not possible. `change` makes another body of the least one.
 */
export async function makeAs(
  trial: Trial,
  resource: ResourceModel,
  caller: Caller,
  change: (body: JsonObject) => JsonObject = (body) => body,
): Promise<Exchange | null> {
  if (!trial.session.mayMake(resource, caller) || needsOthers(resource, caller)) return null;
  const body = change(leastBody(resource, trial.session.nextSeed()));
  const { parent, name } = resource;
  if (parent === null) return trial.send("POST", resource.path, { body }, caller);
  const above = trial.session.resources.find(({ path }) => path === parent.path);
  if (above === undefined || !readsOwn(above, caller)) return null;
  const entity = await makeAbove(trial, above, caller);
  if (entity === null) return null;
  const place = `${parent.path}/${String(entity[parent.name.idProperty])}/${name.plural}`;
  return trial.send("POST", place, { body: without(body, parent.property) }, caller);
}

/** Creates what others belong to as a caller, in the state that samples give for it; null if that is not possible. */
export async function makeAbove(
  trial: Trial,
  above: ResourceModel,
  caller: Caller,
): Promise<JsonObject | null> {
  const made = await makeAs(trial, above, caller);
  const entity = made?.answer.json;
  if (!isObject(entity) || made?.answer.status !== 201) return null;
  const taken = await led(trial.session, above, entity, caller);
  if ("entity" in taken) return taken.entity;
  trial.obstacles.add(taken.reason);
  return null;
}

/** Whether the caller may read what it has made; nothing is made under a parent that is not found (CHD-1). */
function readsOwn(resource: ResourceModel, caller: Caller): boolean {
  const isOwn = caller.token !== null;
  return mayDo(resource, "read", caller, { isOwn, isParentOwn: isOwn }) === "yes";
}
