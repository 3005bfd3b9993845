import type { ResourceModel } from "../model/resource-model.js";
import { reachOf, type Caller } from "./caller.js";
import { MISSING } from "./check.js";
import { NoAnswer, type Answer, type Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { sendPatiently } from "./patience.js";
import { isObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import { leadingActions, stepRequest } from "./leading-actions.js";
import { bearer, conditionOf } from "./request-headers.js";
import type { Made, Session } from "./session.js";
import { statePath } from "./state-paths.js";
import { hasUnique } from "./unique-values.js";
import type { Left } from "./verdict.js";

/** Deletes what was created, the newest first; returns what is still there. */
async function cleanUp(
  client: HttpClient,
  made: readonly Made[],
  callers: readonly Caller[],
): Promise<readonly Left[]> {
  let left = [...made].reverse();
  const reasons = new Map<Made, string>();
  // An entity that others refer to can be deleted only after them (CHD-4).
  for (let before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length;
    const still: Made[] = [];
    for (const one of left) {
      const reason = await keptBy(client, one, callers);
      if (reason === null) continue;
      still.push(one);
      reasons.set(one, reason);
    }
    left = still;
  }
  return left.map((one) => ({ path: one.path, reason: reasons.get(one) ?? "" }));
}

/** Deletes what was created in a session, and by the callers of other tenants. */
export async function cleanUpAll(session: Session): Promise<readonly Left[]> {
  const left: Left[] = [];
  for (const { made, options } of [...session.options.strangers, session])
    left.push(...(await cleanUp(options.client, made, options.callers)));
  return left;
}

/** So many entities with unique values are kept from rule to rule. */
const CROWD = 30;

/**
 * Deletes entities that no later check needs, where others may need their unique values: those of one resource where it
 * can hold few, or all where they are many.
 */
export async function relieve(session: Session, resource?: ResourceModel): Promise<void> {
  const { client, callers } = session.options;
  const isWanted = (one: ResourceModel): boolean =>
    resource === undefined
      ? hasUnique(one)
      : one.entity.name.plural === resource.entity.name.plural && session.isFew(one);
  const isFree = ({ path }: Made): boolean => !session.isHeld(path) && !session.lasting.has(path);
  const free = session.made.filter((one) => isWanted(one.resource) && isFree(one));
  if (resource === undefined && free.length < CROWD) return;
  const left = (await cleanUp(client, free, callers)).map(({ path }) => path);
  // What something refers to would be tried in vain before every part.
  for (const path of left) session.lasting.add(path);
  session.forget(new Set(free.filter(({ path }) => !left.includes(path))));
}

/** Null where it is gone; why it is not, "" where nobody knows. */
async function keptBy(
  client: HttpClient,
  made: Made,
  callers: readonly Caller[],
): Promise<string | null> {
  try {
    const everybody = new Set([made.caller, ...callers]);
    let hidden = 0;
    const reasons = new Set<string>();
    for (const caller of everybody) {
      const { status, reason } = await deletion(client, made, [caller, ...everybody]);
      if (status === 204) return null;
      if (status === 404) hidden += 1;
      // From a caller who may not read all of them, it may only be hidden.
      if (status === 404 && reachOf(made.resource, "read", caller) === "all") return null;
      if (reason !== "") reasons.add(reason);
    }
    return hidden === everybody.size ? null : [...reasons].join("; ");
  } catch (error) {
    if (error instanceof NoAnswer) return "";
    throw error;
  }
}

/** What the last try of a caller came to. */
interface Deletion {
  readonly status: number;
  /** Why it could not get to where it can be deleted; "" where nobody knows. */
  readonly reason: string;
}

/** The last try of a caller; the other ones may lead to where it can be deleted. */
async function deletion(
  client: HttpClient,
  made: Made,
  [caller, ...others]: readonly [Caller, ...Caller[]],
): Promise<Deletion> {
  const send: Send = async (method, sent = {}, { rest = "", as = caller } = {}) => {
    const headers = { ...bearer(as), ...conditionOf(method, made.resource) };
    return (await sendPatiently(client, method, made.path + rest, { ...sent, headers })).answer;
  };
  const first = await send("DELETE");
  const { states } = made.resource.entity;
  if (first.status !== 409 || states === null) return { status: first.status, reason: "" };
  const reason = await leadToEnd(send, made.resource, [caller, ...others]);
  return { status: (await send("DELETE")).status, reason };
}

/** A request about one entity, or about what follows its path; of the caller that deletes it, unless it is `as` another. */
type Send = (
  method: string,
  sent?: Sent,
  other?: { readonly rest?: string; readonly as?: Caller },
) => Promise<Answer>;

/** What actions are sent on the way refers to nothing. */
const SEED: Seed = { run: MISSING, index: 0, anchors: () => [] };

/** STA-3: moves an entity into a state in which it can be deleted; why it does not get there, "" where nobody knows. */
async function leadToEnd(
  send: Send,
  resource: ResourceModel,
  [caller, ...others]: readonly [Caller, ...Caller[]],
): Promise<string> {
  const { states } = resource.entity;
  if (states === null) return "";
  const { json } = await send("GET");
  const from = isObject(json) ? String(json[states.property]) : "";
  const isEnd = (state: string): boolean => states.deletableIn.includes(state);
  const leading = leadingActions(resource, caller, others);
  for (const step of statePath(states, from, isEnd, { leading }) ?? []) {
    const { method, rest, ...sent } = stepRequest(step, states.property, () => SEED);
    const { status } = await send(method, sent, { rest, as: step.by?.actor ?? caller });
    if (step.by !== null && status === 501) {
      return `its action ${step.by.action.name} is not written yet`;
    }
  }
  return "";
}
