import { addDays, startOfDay } from "#runtime/base/time";
import type { ConditionModel, PathCondition } from "../../model/alias-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { innerType, itemLeavesOf } from "../../model/leaves.js";
import type { StatesModel } from "../../model/states-model.js";
import { fullBody, placesOf } from "../bodies.js";
import { bring } from "../bring.js";
import { at, withValue, type Json, type JsonObject } from "../../samples/json.js";
import type { Seed } from "../../samples/seed.js";
import { datedAt } from "../conditions.js";
import { tellGiven } from "../samples.js";
import type { Trial } from "../trial.js";

/** Entities of which some fulfil all conditions, and some all but one. */
export async function candidates(
  trial: Trial,
  resource: ResourceModel,
  conditions: readonly ConditionModel[],
): Promise<readonly JsonObject[]> {
  const made: JsonObject[] = [];
  const make = async (settings: readonly Setting[]): Promise<void> => {
    const entity = await settled(trial, resource, settings);
    if (entity !== null) made.push(entity);
  };
  const asking = { now: trial.session.options.now(), states: resource.entity.states };
  const choices = conditions.map((condition) => choiceOf(condition, asking));
  for (let turn = 0; turn < 3; turn += 1) {
    await make(choices.flatMap(({ inside }) => inside[turn % inside.length] ?? []));
  }
  for (const [index, { outside }] of choices.entries()) {
    for (const wrong of outside) {
      const others = choices.filter((_, other) => other !== index);
      await make([...others.flatMap(({ inside }) => inside[0] ?? []), ...wrong]);
    }
  }
  return made;
}

/** A body with values that fulfil all conditions, as far as a client can set them. */
export function fulfilling(
  resource: ResourceModel,
  conditions: readonly ConditionModel[],
  { body, now }: { readonly body: JsonObject; readonly now: number },
): JsonObject {
  const { states } = resource.entity;
  const paths = settablePaths(resource);
  return conditions
    .flatMap((condition) => choiceOf(condition, { now, states }).inside[0] ?? [])
    .filter(({ path }) => paths.has(path) && path !== states?.property)
    .reduce((whole, { path, value }) => withValue(whole, path, value), body);
}

/** A value to be given to the property at a path. */
interface Setting {
  readonly path: string;
  readonly value: Json;
}

/** Values for which a condition holds, and others for which it does not. */
interface Choice {
  readonly inside: readonly (readonly Setting[])[];
  readonly outside: readonly (readonly Setting[])[];
}

interface Around {
  readonly now: number;
  readonly states: StatesModel | null;
}

/** Of alternatives, each by itself, and none of them. */
function choiceOf(condition: ConditionModel, around: Around): Choice {
  if (condition.kind !== "any") return pathChoice(condition, around);
  const alternatives = condition.alternatives.map((alternative) =>
    alternative.map((one) => pathChoice(one, around)),
  );
  const first = (choices: readonly Choice[], side: keyof Choice): readonly Setting[] =>
    choices.flatMap((choice) => choice[side][0] ?? []);
  const nothing = alternatives.flatMap((choices) =>
    first(choices.filter(({ outside }) => outside.length > 0).slice(0, 1), "outside"),
  );
  // What one alternative needs may be what another one excludes: an entity shows which hold.
  return {
    inside: alternatives.map((choices) => [...nothing, ...first(choices, "inside")]),
    outside: [nothing, ...alternatives.map((choices) => first(choices.slice(0, 1), "inside"))],
  };
}

function pathChoice(condition: PathCondition, { now, states }: Around): Choice {
  const { inside, outside } = settingsOf(condition, now);
  const each = (settings: readonly Setting[]) => settings.map((setting) => [setting]);
  return { inside: each(inside), outside: each([...outside, ...otherStates(states, condition)]) };
}

/** Values of one property, on both sides of a condition. */
function settingsOf(
  condition: PathCondition,
  now: number,
): { inside: readonly Setting[]; outside: readonly Setting[] } {
  const { path } = condition;
  const set = (values: readonly Json[]): readonly Setting[] =>
    values.map((value) => ({ path, value }));
  // Whoever makes it decides.
  if (condition.kind === "mine") return { inside: [], outside: [] };
  if (condition.kind === "window") {
    const { window, milliseconds } = condition;
    const sign = window === "within" ? -1 : 1;
    const time = (part: number): string => new Date(now + sign * milliseconds * part).toISOString();
    return { inside: set([time(0.5), time(0.9)]), outside: set([time(1.5), time(-0.5), null]) };
  }
  if (condition.relative !== null) {
    const { inside, outside } = settingsOf(datedAt(condition, now), now);
    const { timeZone, isDate } = condition.relative;
    // A day's first and last instant.
    const timed = ({ value }: Setting): readonly Setting[] => {
      if (isDate || typeof value !== "string") return set([value]);
      const end = startOfDay(timeZone, addDays(value, 1)) - 1;
      return set([startOfDay(timeZone, value), end].map((time) => new Date(time).toISOString()));
    };
    return { inside: inside.flatMap(timed), outside: outside.flatMap(timed) };
  }
  const { comparison, values, orNull, contains } = condition;
  const listed: readonly Json[] = values.map((value) => (contains ? [value] : value));
  const all = [...listed, ...(orNull ? [contains ? [] : null] : [])];
  if (comparison === "anyOf") return { inside: set(all), outside: [] };
  // Null does not match, whether it is listed or not.
  if (comparison === "noneOf") return { inside: [], outside: set(orNull ? all : [...all, null]) };
  const isUp = comparison === "atLeast" || comparison === "moreThan";
  const [inside, outside] = (isUp ? [1, -1] : [-1, 1]).map((step) => moved(values[0], step));
  const atBound = comparison === "atLeast" || comparison === "atMost" ? "inside" : "outside";
  const edge = set([values[0] ?? null]);
  return {
    inside: [...set([inside ?? null]), ...(atBound === "inside" ? edge : [])],
    outside: [...set([outside ?? null]), ...(atBound === "outside" ? edge : []), ...set([null])],
  };
}

/** States that a condition does not name. */
function otherStates(states: StatesModel | null, condition: PathCondition): readonly Setting[] {
  const { path } = condition;
  if (condition.kind !== "comparison" || path !== states?.property) return [];
  const others = states.transitions.filter(({ from }) => !condition.values.includes(from));
  return others.map(({ from }) => ({ path, value: from }));
}

const SECOND = 1000;
const DAY = 86_400_000;

/** The value so many steps from a bound, in the form of its kind: a time, a date, or a decimal with the digits of the other. */
function moved(bound: string | number | boolean | undefined, step: number): Json {
  if (typeof bound !== "string") return Number(bound) + step;
  if (/^\d{4}-\d\d-\d\dT/.test(bound)) {
    return new Date(Date.parse(bound) + step * SECOND).toISOString();
  }
  if (/^\d{4}-\d\d-\d\d$/.test(bound)) {
    return new Date(Date.parse(bound) + step * DAY).toISOString().slice(0, 10);
  }
  return (Number(bound) + step).toFixed(bound.split(".")[1]?.length ?? 0);
}

/** An entity with these values, as far as a client can set them; null if the service refuses them. */
async function settled(
  trial: Trial,
  resource: ResourceModel,
  settings: readonly Setting[],
): Promise<JsonObject | null> {
  const paths = settablePaths(resource);
  const { states } = resource.entity;
  const seed = trial.session.nextSeed();
  let body = fullBody(resource, seed);
  for (const { path, value } of settings) {
    if (paths.has(path) && path !== states?.property) body = withValue(body, path, value);
    else body = { ...body, ...referring(resource, { path, value }, seed) };
  }
  const { answer } = await trial.post(resource, { body });
  if (answer.status !== 201) {
    tellGiven(trial, resource, settings);
    return null;
  }
  // Its status says that it is an entity.
  const entity = answer.json as JsonObject;
  const goal = settings.find(({ path }) => path === states?.property)?.value;
  if (states === null || typeof goal !== "string") return entity;
  return bring(
    trial,
    { resource, states, entity },
    (state) => state === goal && trial.session.mayEnter(resource, goal),
  );
}

/** What a body can say of a condition's path; of a list, each item says it. */
function settablePaths({ properties }: ResourceModel): ReadonlySet<string> {
  const inside = itemLeavesOf(properties).flatMap(({ list }) => {
    const inner = innerType(list.type);
    return inner.kind === "object" && !list.readOnly ? placesOf(inner.properties) : [];
  });
  return new Set([...placesOf(properties), ...inside].map(({ path }) => path));
}

/** REP-4: a reference to what has the value at the path of a reference; {} if there is no reference at the path, or no entity with the value. */
function referring({ properties }: ResourceModel, setting: Setting, seed: Seed): JsonObject {
  const [name = "", ...rest] = setting.path.split(".");
  const type = properties.find((property) => property.name === name)?.type;
  if (type?.kind !== "reference" || type.target === null) return {};
  if (setting.value === null) return { [name]: null };
  const anchors = seed.anchors(type.target.name.plural);
  const found = anchors.find((anchor) => at(anchor, rest.join(".")) === setting.value);
  const { name: idProperty } = type.identifier;
  return found === undefined ? {} : { [name]: { [idProperty]: found[idProperty] ?? null } };
}
