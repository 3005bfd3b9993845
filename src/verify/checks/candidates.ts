import type { ConditionModel } from "../../model/alias-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import type { StatesModel } from "../../model/states-model.js";
import { fullBody, placesOf } from "../bodies.js";
import { bring } from "../bring.js";
import { at, withValue, type Json, type JsonObject } from "../../samples/json.js";
import type { Seed } from "../../samples/seed.js";
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
  const now = trial.session.options.now();
  const choices = conditions.map((condition) => {
    const { inside, outside } = settingsOf(condition, now);
    return { inside, outside: [...outside, ...otherStates(resource.entity.states, condition)] };
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await make(choices.flatMap(({ inside }) => inside.slice(turn % inside.length).slice(0, 1)));
  }
  for (const [index, { outside }] of choices.entries()) {
    for (const wrong of outside) {
      const others = choices.filter((_, other) => other !== index);
      await make([...others.flatMap(({ inside }) => inside.slice(0, 1)), wrong]);
    }
  }
  return made;
}

/** A value to be given to the property at a path. */
interface Setting {
  readonly path: string;
  readonly value: Json;
}

/** Values for which a condition holds, and others for which it does not. */
function settingsOf(
  condition: ConditionModel,
  now: number,
): { inside: readonly Setting[]; outside: readonly Setting[] } {
  const { path } = condition;
  const set = (values: readonly Json[]): readonly Setting[] =>
    values.map((value) => ({ path, value }));
  if (condition.kind === "window") {
    const { window, milliseconds } = condition;
    const sign = window === "within" ? -1 : 1;
    const time = (part: number): string => new Date(now + sign * milliseconds * part).toISOString();
    return { inside: set([time(0.5), time(0.9)]), outside: set([time(1.5), time(-0.5), null]) };
  }
  const { comparison, values, orNull, contains } = condition;
  const listed: readonly Json[] = values.map((value) => (contains ? [value] : value));
  const all = [...listed, ...(orNull ? [contains ? [] : null] : [])];
  if (comparison === "anyOf") return { inside: set(all), outside: [] };
  // Null does not match, whether it is listed or not.
  if (comparison === "noneOf") return { inside: [], outside: set(orNull ? all : [...all, null]) };
  const bound = Number(values[0]);
  const isUp = comparison === "atLeast" || comparison === "moreThan";
  const steps = isUp ? [1, -1] : [-1, 1];
  const [inside, outside] = steps.map((step) => alike(values[0], bound + step));
  const atBound = comparison === "atLeast" || comparison === "atMost" ? "inside" : "outside";
  const edge = set([values[0] ?? null]);
  return {
    inside: [...set([inside ?? null]), ...(atBound === "inside" ? edge : [])],
    outside: [...set([outside ?? null]), ...(atBound === "outside" ? edge : []), ...set([null])],
  };
}

/** States that a condition does not name. */
function otherStates(states: StatesModel | null, condition: ConditionModel): readonly Setting[] {
  const { path } = condition;
  if (condition.kind === "window" || path !== states?.property) return [];
  const others = states.transitions.filter(({ from }) => !condition.values.includes(from));
  return others.map(({ from }) => ({ path, value: from }));
}

/** A number in the form of its kind: a decimal as a string, with the digits of the other. */
function alike(model: string | number | boolean | undefined, value: number): Json {
  if (typeof model !== "string") return value;
  return value.toFixed(model.split(".")[1]?.length ?? 0);
}

/** An entity with these values, as far as a client can set them; null if the service refuses them. */
async function settled(
  trial: Trial,
  resource: ResourceModel,
  settings: readonly Setting[],
): Promise<JsonObject | null> {
  const paths = new Set(placesOf(resource.properties).map(({ path }) => path));
  const { states } = resource.entity;
  const seed = trial.session.nextSeed();
  let body = fullBody(resource, seed);
  for (const { path, value } of settings) {
    if (paths.has(path) && path !== states?.property) body = withValue(body, path, value);
    else body = { ...body, ...referring(resource, { path, value }, seed) };
  }
  const { answer } = await trial.post(resource, { body });
  if (answer.status !== 201) return null;
  // Its status says that it is an entity.
  const entity = answer.json as JsonObject;
  const goal = settings.find(({ path }) => path === states?.property)?.value;
  if (states === null || typeof goal !== "string") return entity;
  return bring(
    trial,
    { resource, states, entity },
    (state) => state === goal && trial.session.mayEnter(states, goal),
  );
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
