import type { StatesModel } from "../model/states-model.js";
import { isAskingCode, type Caller } from "./caller.js";
import { NoAnswer, type Answer, type Sent } from "./exchange.js";
import type { HttpClient } from "./http-client.js";
import { isObject } from "../samples/json.js";
import { bearer, conditionOf } from "./request-headers.js";
import type { Made, Session } from "./session.js";
import { statePath } from "./state-paths.js";
import { hasUnique } from "./unique-values.js";

/** Deletes what was created, the newest first; returns the paths that are still there. */
export async function cleanUp(
  client: HttpClient,
  made: readonly Made[],
  callers: readonly Caller[],
): Promise<readonly string[]> {
  let left = [...made].reverse();
  // An entity that others refer to can be deleted only after them (CHD-4).
  for (let before = Infinity; left.length > 0 && left.length < before;) {
    before = left.length;
    const still: Made[] = [];
    for (const one of left) if (!(await isGone(client, one, callers))) still.push(one);
    left = still;
  }
  return left.map(({ path }) => path);
}

/** So many entities with unique values are kept from rule to rule. */
const CROWD = 30;

/** Deletes entities that no later check needs, where others may need their unique values. */
export async function relieve(session: Session): Promise<void> {
  const { client, callers } = session.options;
  const free = session.made.filter(
    ({ path, resource }) => hasUnique(resource) && !session.anchors.has(path),
  );
  if (free.length < CROWD) return;
  const left = await cleanUp(client, free, callers);
  session.forget(new Set(free.filter(({ path }) => !left.includes(path))));
}

async function isGone(
  client: HttpClient,
  made: Made,
  callers: readonly Caller[],
): Promise<boolean> {
  try {
    const everybody = new Set([made.caller, ...callers]);
    let hidden = 0;
    for (const caller of everybody) {
      const status = await deletion(client, made, caller);
      if (status === 204) return true;
      if (status === 404) hidden += 1;
      // Where the service's own code decides, it may only be hidden from this caller.
      if (status === 404 && !isAskingCode(made.resource.access.read)) return true;
    }
    return hidden === everybody.size;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}

/** The status that the last try was answered with. */
async function deletion(client: HttpClient, made: Made, caller: Caller): Promise<number> {
  const send: Send = async (method, sent = {}) => {
    const headers = { ...bearer(caller), ...conditionOf(method, made.resource) };
    return (await client.send(method, made.path, { ...sent, headers })).answer;
  };
  const first = await send("DELETE");
  const { states } = made.resource.entity;
  if (first.status !== 409 || states === null) return first.status;
  await leadToEnd(send, states);
  return (await send("DELETE")).status;
}

/** A request about one entity. */
type Send = (method: string, sent?: Sent) => Promise<Answer>;

/** STA-3: moves an entity into a state in which it can be deleted. */
async function leadToEnd(send: Send, states: StatesModel): Promise<void> {
  const { json } = await send("GET");
  const from = isObject(json) ? String(json[states.property]) : "";
  const path = statePath(states, from, (state) => states.deletableIn.includes(state));
  for (const state of path ?? []) await send("PATCH", { body: { [states.property]: state } });
}
