import type { StatesModel } from "../../model/states-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, otherReplacement } from "../bodies.js";
import { bring } from "../bring.js";
import { pathOf, type Check } from "../check.js";
import { errorsOf, type Exchange } from "../exchange.js";
import { without, type JsonObject } from "../../samples/json.js";
import type { Seed } from "../../samples/seed.js";
import { tellGiven } from "../samples.js";
import { beginningOf, followersOf } from "../state-paths.js";
import type { Trial } from "../trial.js";

/** STA: states, and what they allow. */
export const STATES: readonly Check[] = [
  { rule: "STA-1", run: transitions },
  { rule: "STA-2", run: refusals },
  { rule: "STA-3", run: whatAStateAllows },
];

const OTHERWISE = "no resource has states";

/** Every state of every resource, as far as it can be reached and left. */
async function eachState(
  trial: Trial,
  attempt: (resource: ResourceModel, states: StatesModel, state: string) => Promise<void>,
): Promise<void> {
  const where = ({ entity: { states } }: ResourceModel): boolean => states !== null;
  const needs = ["create", "update"] as const;
  const wanted = { needs, where, otherwise: OTHERWISE, inAnyState: true };
  await trial.each(wanted, async (resource) => {
    const { states } = resource.entity;
    const { words, article } = resource.name;
    if (states === null) return;
    for (const { from } of states.transitions) {
      const leading = trial.session.leading(resource);
      if (beginningOf(states, (one) => one === from, { leading }) === null) {
        trial.obstacles.add(`nobody who calls can lead ${article} ${words} to ${from} for certain`);
      } else if (trial.session.mayEnter(resource, from)) {
        await trial.attempt(async () => attempt(resource, states, from));
      } else {
        trial.obstacles.add(`no ${words} that is ${from} could be deleted again (see --leave)`);
      }
    }
  });
}

/** A new entity in a state that can be reached. */
async function inState(
  trial: Trial,
  resource: ResourceModel,
  states: StatesModel,
  state: string,
): Promise<JsonObject | null> {
  const isGoal = (one: string): boolean => one === state;
  const leading = trial.session.leading(resource);
  const beginning = beginningOf(states, isGoal, { leading }) ?? states.initial;
  const entity = await trial.make(resource, { [states.property]: beginning });
  return bring(trial, { resource, states, entity }, isGoal);
}

/** STA-1: an entity begins in an initial state, and goes on by the transitions alone. */
async function transitions(trial: Trial): Promise<void> {
  await eachState(trial, async (resource, states, state) => {
    const { property, initial } = states;
    if (state === initial) await beginnings(trial, resource, states);
    const isUpdated = beginningOf(states, (one) => one === state) !== null;
    for (const { from: next } of states.transitions) {
      const entity = await inState(trial, resource, states, state);
      const isThere = entity?.[property] === state;
      // What own code refuses of an action is told as an obstacle.
      if (isUpdated || entity !== null) trial.expect(trial.latest, isThere, `${property} ${state}`);
      if (entity === null || next === state) continue;
      const isAllowed = followersOf(states, state).includes(next);
      if (isAllowed && !trial.session.mayEnter(resource, next)) continue;
      const body = { [property]: next };
      const patched = await trial.send("PATCH", pathOf(resource, entity), { body });
      if (isAllowed) trial.value(patched, trial.object(patched, 200)?.[property], next, property);
      else trial.refusal(patched, 409, stateType(resource));
    }
  });
}

async function beginnings(
  trial: Trial,
  resource: ResourceModel,
  { property, initial, initials, transitions: all }: StatesModel,
): Promise<void> {
  for (const { from } of all) {
    if (initials.includes(from) && !trial.session.mayEnter(resource, from)) continue;
    const body = { ...fullBody(resource, trial.session.nextSeed()), [property]: from };
    const made = await trial.post(resource, { body });
    if (initials.includes(from)) trial.status(made, 201);
    else trial.refusal(made, 409, stateType(resource));
  }
  const body = without(fullBody(resource, trial.session.nextSeed()), property);
  const made = await trial.post(resource, { body });
  trial.value(made, trial.object(made, 201)?.[property], initial, property);
}

/** STA-2: a refusal says which state it is, and which can follow. */
async function refusals(trial: Trial): Promise<void> {
  await eachState(trial, async (resource, states, state) => {
    const next = followersOf(states, state);
    const forbidden = states.transitions.find(
      ({ from }) => from !== state && !next.includes(from),
    )?.from;
    if (forbidden === undefined) return;
    const entity = await inState(trial, resource, states, state);
    if (entity === null) return;
    const body = { [states.property]: forbidden };
    const refused = await trial.send("PATCH", pathOf(resource, entity), { body });
    if (trial.refusal(refused, 409, stateType(resource))) told(trial, refused, [state, ...next]);
  });
}

function told(trial: Trial, refused: Exchange, states: readonly string[]): void {
  const [error = {}] = errorsOf(refused.answer);
  const description = String(error["description"] ?? "");
  const missing = states.filter((state) => !new RegExp(`\\b${state}\\b`).test(description));
  trial.value(refused, missing, [], "states that the description does not name");
  const isSaid = /not in a valid state/i.test(String(error["message"]));
  trial.expect(refused, isSaid, "a message that it is not in a valid state");
}

/** STA-3: other properties are changed, and entities deleted, in the states that allow it. */
async function whatAStateAllows(trial: Trial): Promise<void> {
  await eachState(trial, async (resource, states, state) => {
    if (trial.session.obstacle(resource, ["delete"]) === null) {
      await deletion(trial, resource, states, state);
    }
    const entity = await inState(trial, resource, states, state);
    if (entity === null || isNotOffered(trial, resource)) return;
    const isAllowed = states.updatableIn.includes(state);
    // ENT-4: what changes nothing is refused in no state.
    if (!(await change(trial, resource, { entity, next: {}, isAllowed }))) return;
    const next = followersOf(states, state).find((one) => trial.session.mayEnter(resource, one));
    if (next === undefined) return;
    const again = await inState(trial, resource, states, state);
    if (again === null) return;
    await change(trial, resource, { entity: again, next: { [states.property]: next }, isAllowed });
  });
}

function isNotOffered({ session }: Trial, resource: ResourceModel): boolean {
  return session.obstacle(resource, ["replace"], { inAnyState: true }) !== null;
}

interface Change {
  readonly entity: JsonObject;
  /** The state that it goes on to, if any. */
  readonly next: JsonObject;
  readonly isAllowed: boolean;
}

/** False where a client can change nothing but the state. */
async function change(
  trial: Trial,
  resource: ResourceModel,
  { entity, next, isAllowed }: Change,
): Promise<boolean> {
  const nextSeed = (): Seed => trial.session.nextSeed();
  const other = otherReplacement(resource, entity, nextSeed);
  if (other === null) {
    tellGiven(trial, resource, resource.properties);
    return false;
  }
  const put = await trial.send("PUT", pathOf(resource, entity), { body: { ...other, ...next } });
  if (isAllowed) trial.status(put, 200, " in a state that allows updates");
  else trial.refusal(put, 409, stateType(resource));
  return true;
}

async function deletion(
  trial: Trial,
  resource: ResourceModel,
  states: StatesModel,
  state: string,
): Promise<void> {
  const entity = await inState(trial, resource, states, state);
  if (entity === null) return;
  const deleted = await trial.send("DELETE", pathOf(resource, entity));
  if (states.deletableIn.includes(state)) trial.status(deleted, 204, ` in state ${state}`);
  else trial.refusal(deleted, 409, stateType(resource));
}

function stateType({ name }: ResourceModel): string {
  return `Invalid${name.typeName}StateMessage`;
}
