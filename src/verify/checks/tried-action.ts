import type { PropertyModel } from "../../kinds/property-model.js";
import { objectOf } from "../../kinds/values.js";
import type { ActionModel } from "../../model/action-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { isObject, type JsonObject } from "../../samples/json.js";
import { asking, isCertain, NOBODY, type Caller } from "../caller.js";
import { pathOf } from "../check.js";
import { makeAs } from "../make-as.js";
import { sendable } from "../sendable.js";
import type { Trial } from "../trial.js";

/** One action, and who does it where somebody is allowed to for certain. */
export interface Tried {
  readonly resource: ResourceModel;
  readonly action: ActionModel;
  readonly actor: Caller;
  /** What the actor can be sure to send. */
  readonly input: readonly PropertyModel[];
}

/** Null, and told, where nobody can try it. */
export async function triedBy(
  trial: Trial,
  resource: ResourceModel,
  action: ActionModel,
): Promise<Tried | null> {
  const { session, obstacles } = trial;
  const { plural } = resource.name;
  await trial.prepare(resource);
  const lacking = session.anchors.lackingFor(action.input);
  if (lacking !== null) {
    obstacles.add(`there are no ${lacking} that ${action.name} of ${plural} could refer to`);
    return null;
  }
  for (const actor of [session.callerFor(resource), ...session.options.callers, NOBODY]) {
    const input = sendable(action.input.properties, actor, session.anchors);
    if (input !== null && isAble(trial, { resource, action, caller: actor })) {
      return { resource, action, actor, input };
    }
  }
  obstacles.add(`none of the given callers may ${action.name} ${plural} for certain`);
  return null;
}

/** Whether a caller may do an action for certain, to an entity of its own or to the collection. */
export function isAble(
  { session }: Trial,
  { resource, action, caller }: Pick<Tried, "resource" | "action"> & { readonly caller: Caller },
): boolean {
  const asked = asking(resource, action);
  if (action.on === "collection") return isCertain(asked, "create", caller);
  const isOwn = session.mayMake(resource, caller) && isCertain(resource, "read", caller);
  return isOwn && isCertain(asked, "update", caller);
}

/** A new entity of the actor's; null where none could be made. */
export async function made(trial: Trial, { resource, actor }: Tried): Promise<JsonObject | null> {
  const json = (await makeAs(trial, resource, actor))?.answer.json;
  return isObject(json) && typeof json[resource.name.idProperty] === "string" ? json : null;
}

/** Where the action is done to an entity, or to the collection. */
export function placeOf({ resource, action }: Tried, entity: JsonObject | null): string {
  const holder =
    action.on === "entity" && entity !== null ? pathOf(resource, entity) : resource.path;
  return `${holder}/${action.name}`;
}

/** Where the action is done to a new entity, or to the collection; null where there is no entity. */
export async function place(trial: Trial, tried: Tried): Promise<string | null> {
  const entity = tried.action.on === "entity" ? await made(trial, tried) : null;
  return tried.action.on === "entity" && entity === null ? null : placeOf(tried, entity);
}

/** A body that the actor can send. */
export function valid(trial: Trial, { input: sent }: Tried): JsonObject {
  return objectOf(sent, trial.session.nextSeed());
}
