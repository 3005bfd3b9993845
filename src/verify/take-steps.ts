import type { ResourceModel } from "../model/resource-model.js";
import type { StatesModel } from "../model/states-model.js";
import { isObject, type JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import type { Caller } from "./caller.js";
import { pathOf } from "./check.js";
import type { Exchange, Sent } from "./exchange.js";
import { stepRequest } from "./leading-actions.js";
import type { StateStep } from "./state-paths.js";

/** An entity, and the states that it can reach. */
export interface Stateful {
  readonly resource: ResourceModel;
  readonly states: StatesModel;
  readonly entity: JsonObject;
}

/** What steps are sent with. */
export interface Sender {
  nextSeed(): Seed;
  send(method: string, path: string, sent?: Sent, as?: Caller): Promise<Exchange>;
}

/** How far steps have led an entity. */
export type Taken =
  | { readonly entity: JsonObject }
  /** The step that was refused, with the status of the answer. */
  | { readonly refused: StateStep; readonly status: number };

/** Leads an entity along a way of steps; `updater` makes the updates, left out: the caller with the most access. */
export async function takeSteps(
  sender: Sender,
  { resource, states, entity }: Stateful,
  way: readonly StateStep[],
  updater?: Caller,
): Promise<Taken> {
  const path = pathOf(resource, entity);
  let latest = entity;
  for (const step of way) {
    const { method, rest, ...sent } = stepRequest(step, states.property, () => sender.nextSeed());
    const { answer } = await sender.send(method, path + rest, sent, step.by?.actor ?? updater);
    const isActed = step.by !== null && answer.status < 300;
    const showing = isActed ? (await sender.send("GET", path, {}, updater)).answer : answer;
    if (showing.status !== 200 || !isObject(showing.json)) {
      return { refused: step, status: answer.status };
    }
    latest = showing.json;
  }
  return { entity: latest };
}

/** Why an entity is not where steps should have led it. */
export function whyNot(
  { name: { article, words } }: ResourceModel,
  { refused: { state, by }, status }: Extract<Taken, { readonly refused: unknown }>,
): string {
  const done = by === null ? "the update" : by.action.name;
  return `${article} ${words} could not become ${state}: ${done} was answered ${status}`;
}
