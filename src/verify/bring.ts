import type { StatesModel } from "../model/states-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { pathOf } from "./check.js";
import { isObject, type JsonObject } from "../samples/json.js";
import { statePath } from "./state-paths.js";
import { CannotMake, type Trial } from "./trial.js";

/** An entity, and the states that it can reach. */
export interface Stateful {
  readonly resource: ResourceModel;
  readonly states: StatesModel;
  readonly entity: JsonObject;
}

/** An entity in a state in which it may be deleted; throws `CannotMake` where it cannot get there. */
export async function deletable(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<JsonObject> {
  const { states } = resource.entity;
  if (states === null) return entity;
  const isEnd = (state: string): boolean => states.deletableIn.includes(state);
  const brought = await bring(trial, { resource, states, entity }, isEnd);
  const { words, article } = resource.name;
  if (brought === null) throw new CannotMake(`${article} ${words} could not be made deletable`);
  return brought;
}

/** Moves an entity into one of the wanted states; returns it, or null if none can be reached. */
export async function bring(
  trial: Trial,
  { resource, states, entity }: Stateful,
  isGoal: (state: string) => boolean,
): Promise<JsonObject | null> {
  const { property } = states;
  const path = statePath(states, String(entity[property]), isGoal);
  let latest: JsonObject | null = path === null ? null : entity;
  for (const state of path ?? []) {
    const url = pathOf(resource, entity);
    const { answer } = await trial.send("PATCH", url, { body: { [property]: state } });
    latest = answer.status === 200 && isObject(answer.json) ? answer.json : null;
  }
  return latest;
}
