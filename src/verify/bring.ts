import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";
import { statePath } from "./state-paths.js";
import { CannotMake } from "./check.js";
import { takeSteps, whyNot, type Sender, type Stateful } from "./take-steps.js";
import type { Trial } from "./trial.js";

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
  if (path === null) return null;
  const sender: Sender = {
    nextSeed: () => trial.session.nextSeed(),
    send: async (...request) => trial.send(...request),
  };
  const taken = await takeSteps(sender, { resource, states, entity }, path);
  if (!("refused" in taken)) return taken.entity;
  // Whether an action does it is for its own code to say.
  if (taken.refused.by !== null) trial.obstacles.add(whyNot(resource, taken));
  return null;
}
