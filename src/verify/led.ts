import type { ResourceModel } from "../model/resource-model.js";
import { isObject, type JsonObject } from "../samples/json.js";
import { fullBody } from "./bodies.js";
import type { Caller } from "./caller.js";
import { actorOf } from "./leading-actions.js";
import type { Session } from "./session.js";
import { statePath } from "./state-paths.js";
import { takeSteps, whyNot, type Sender } from "./take-steps.js";

/** What knows the samples, and what leads from state to state. */
export type Guide = Pick<
  Session,
  "options" | "leading" | "mayEnter" | "callerFor" | "noteRefused"
> &
  Sender;

/** An entity in the state that samples give for it, or why it is not there. */
export type Led = { readonly entity: JsonObject } | { readonly reason: string };

/**
 * Leads what others refer to, or belong to, into the state that samples give for it. Left out, `maker` is the caller with
 * the most access.
 */
export async function led(
  guide: Guide,
  resource: ResourceModel,
  entity: JsonObject,
  maker: Caller = guide.callerFor(resource),
): Promise<Led> {
  const { samples, callers } = guide.options;
  const goal = samples.get(resource.path)?.state ?? null;
  const { states } = resource.entity;
  if (goal === null || states === null) return { entity };
  const { plural } = resource.name;
  if (!guide.mayEnter(resource, goal)) {
    return { reason: `${plural} that are ${goal} could not be deleted again (see --leave)` };
  }
  const updater = resource.operations.includes("update")
    ? actorOf(resource, maker, callers)
    : undefined;
  const ways = { isFixed: updater === undefined, leading: guide.leading(resource, maker) };
  const from = String(entity[states.property]);
  const way = statePath(states, from, (state) => state === goal, ways);
  if (way === null) {
    return { reason: `none of the given callers may lead ${plural} from ${from} to ${goal}` };
  }
  const taken = await takeSteps(guide, { resource, states, entity }, way, updater ?? maker);
  return "refused" in taken ? { reason: whyNot(resource, taken) } : taken;
}

/** A new entity that others may refer to, or why they may not; null where it could not be made. */
export async function madeToRefer(
  guide: Guide & Pick<Session, "placeOf">,
  target: ResourceModel,
): Promise<Led | null> {
  const body = fullBody(target, guide.nextSeed());
  const exchange = await guide.send("POST", guide.placeOf(target), { body });
  guide.noteRefused(exchange);
  const { answer } = exchange;
  return answer.status === 201 && isObject(answer.json) ? led(guide, target, answer.json) : null;
}
