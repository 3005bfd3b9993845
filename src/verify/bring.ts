import type { StatesModel } from "../model/states-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { pathOf } from "./check.js";
import { isObject, type JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import { stepRequest } from "./leading-actions.js";
import { statePath, type StateStep } from "./state-paths.js";
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

/**
 * Moves an entity into one of the wanted states, by updates where they lead there; returns it, or null if none can be
 * reached. What own code refuses of an action is told as an obstacle.
 */
export async function bring(
  trial: Trial,
  { resource, states, entity }: Stateful,
  isGoal: (state: string) => boolean,
): Promise<JsonObject | null> {
  const { property } = states;
  const leading = trial.session.leading(resource);
  const path = statePath(states, String(entity[property]), isGoal, { leading });
  let latest: JsonObject | null = path === null ? null : entity;
  for (const step of path ?? []) {
    if (latest === null) break;
    latest = await taken(trial, { resource, states, entity }, step);
  }
  return latest;
}

/** The entity after a step; null where that is refused. */
async function taken(
  trial: Trial,
  { resource, states, entity }: Stateful,
  step: StateStep,
): Promise<JsonObject | null> {
  const { name } = resource;
  const path = pathOf(resource, entity);
  const nextSeed = (): Seed => trial.session.nextSeed();
  const { method, rest, ...sent } = stepRequest(step, states.property, nextSeed);
  const { answer } = await trial.send(method, path + rest, sent, step.by?.actor);
  const showing = step.by !== null && answer.status < 300 ? (await trial.get(path)).answer : answer;
  if (showing.status === 200 && isObject(showing.json)) return showing.json;
  // Whether an action does it is for its own code to say.
  if (step.by !== null) {
    const reason = `${step.by.action.name} was answered ${answer.status}`;
    trial.obstacles.add(`${name.article} ${name.words} could not become ${step.state}: ${reason}`);
  }
  return null;
}
