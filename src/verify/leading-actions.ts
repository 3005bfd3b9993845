import type { PropertyModel } from "../kinds/property-model.js";
import { objectOf } from "../kinds/values.js";
import { hasInput, type ActionModel } from "../model/action-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import { asking, isCertain, reachOf, type Caller } from "./caller.js";
import type { StateStep } from "./state-paths.js";
import { withoutOthers } from "./sendable.js";

/** An action that leads from state to state, and needs nothing else to be there. */
export interface LeadingAction {
  readonly action: ActionModel;
  readonly leadsTo: string;
  /** Who may do it for certain. */
  readonly actor: Caller;
  readonly input: readonly PropertyModel[];
}

/** Those of a resource that the maker of an entity may do to it, or another who may do them to every one. */
export function leadingActions(
  resource: ResourceModel,
  maker: Caller,
  callers: readonly Caller[],
): LeadingAction[] {
  return resource.actions.flatMap((action) => {
    const { leadsTo } = action;
    const input = withoutOthers(action.input.properties);
    const actor = actorOf(asking(resource, action), maker, callers);
    if (leadsTo === null || input === null || actor === undefined) return [];
    return [{ action, leadsTo, actor, input }];
  });
}

/** Who may change an entity for certain: its maker, or else a caller who may change every one. */
export function actorOf(
  asked: Pick<ResourceModel, "access">,
  maker: Caller,
  callers: readonly Caller[],
): Caller | undefined {
  const operations = ["update", "read"] as const;
  if (operations.every((operation) => isCertain(asked, operation, maker))) return maker;
  const reachesAll = (caller: Caller): boolean =>
    operations.every((operation) => reachOf(asked, operation, caller) === "all");
  return callers.find(reachesAll);
}

/** What is sent to lead an entity one step on. */
export interface StepRequest {
  readonly method: "PATCH" | "POST";
  /** What follows the path of the entity. */
  readonly rest: string;
  readonly body?: JsonObject;
}

/** The request of a step, where `property` holds the state. */
export function stepRequest(
  { state, by }: StateStep,
  property: string,
  nextSeed: () => Seed,
): StepRequest {
  if (by === null) return { method: "PATCH", rest: "", body: { [property]: state } };
  const body = hasInput(by.action) ? { body: objectOf(by.input, nextSeed()) } : {};
  return { method: "POST", rest: `/${by.action.name}`, ...body };
}
