import type { AliasModel, ConditionModel } from "../../model/alias-model.js";
import type { ResourceModel } from "../../model/service-model.js";
import { fullBody, placesOf } from "../bodies.js";
import { bring } from "../bring.js";
import { query, type Check } from "../check.js";
import { isWithin } from "../conditions.js";
import { at, isList, withValue, type Json, type JsonObject } from "../json.js";
import type { Seed } from "../seed.js";
import { resultsOf, type Trial } from "../trial.js";
import { inOrder } from "./sorting.js";

/** ALI: searches with a path of their own. */
export const ALIASES: readonly Check[] = [{ rule: "ALI-1", run: aliases }];

/** ALI-1: an alias shows what its conditions say, and takes what its collection takes. */
async function aliases(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean => resource.aliases.length > 0;
  const otherwise = "no resource has an alias";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    for (const alias of resource.aliases) {
      await trial.attempt(async () => {
        const made = await candidates(trial, resource, alias);
        await members(trial, resource, { alias, made });
        await parameters(trial, resource, alias);
      });
    }
  });
}

/** Entities of which some fulfil all conditions, and some all but one. */
async function candidates(
  trial: Trial,
  resource: ResourceModel,
  { conditions }: AliasModel,
): Promise<readonly JsonObject[]> {
  const made: JsonObject[] = [];
  const make = async (settings: readonly Setting[]): Promise<void> => {
    const entity = await settled(trial, resource, settings);
    if (entity !== null) made.push(entity);
  };
  const now = trial.session.options.now();
  const choices = conditions.map((condition) => settingsOf(condition, now));
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
  // Null is none of the values, unless it is one of them.
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

/** A number as the kind writes it: a decimal as text, with the digits of the other. */
function alike(model: string | number | boolean | undefined, value: number): Json {
  if (typeof model !== "string") return value;
  return value.toFixed(model.split(".")[1]?.length ?? 0);
}

/** An entity with these values, as far as a client can set them; null where the service takes them not. */
async function settled(
  trial: Trial,
  resource: ResourceModel,
  settings: readonly Setting[],
): Promise<JsonObject | null> {
  const paths = new Set(placesOf(resource.properties).map(({ path }) => path));
  const { states } = resource;
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

/** REP-4: a reference to what has the value at the path of a reference; {} where it is none, or nothing has it. */
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

async function members(
  trial: Trial,
  resource: ResourceModel,
  { alias, made }: { alias: AliasModel; made: readonly JsonObject[] },
): Promise<void> {
  const { idProperty } = resource.name;
  const size = resource.paging.maximumSize;
  const listed = await trial.get(alias.path + query(["sort", "-createdDate"], ["pageSize", size]));
  const page = trial.object(listed, 200);
  if (page === undefined) return;
  const counted = resource.counted ? ["itemCount", "pageCount"] : [];
  const names = ["pageNumber", "pageSize", "results", ...counted].sort();
  trial.value(listed, Object.keys(page).sort(), names, "names of the envelope");
  const results = resultsOf(listed.answer);
  inOrder(trial, listed, resource, [{ path: "createdDate", descending: true }]);
  const shown = new Set(results.map((result) => result[idProperty]));
  const now = trial.session.options.now();
  for (const entity of made) {
    const wanted = isWithin(resource, alias.conditions, entity, now);
    if (wanted === null) continue;
    const values = alias.conditions.map(({ path }) => [path, at(entity, path) ?? null]);
    const told = JSON.stringify(Object.fromEntries(values));
    const is = `${told} ${wanted ? "is" : "is not"} one of ${alias.name}`;
    trial.expect(listed, shown.has(entity[idProperty] ?? null) === wanted, is, "the opposite");
  }
  const strangers = results.filter(
    (result) => isWithin(resource, alias.conditions, result, now) === false,
  );
  trial.expect(listed, strangers.length === 0, `only what is one of ${alias.name}`);
}

/** The alias's own order, and the collection's parameters on top. */
async function parameters(
  trial: Trial,
  resource: ResourceModel,
  { path, sort }: AliasModel,
): Promise<void> {
  const own = await trial.get(path + query(["pageSize", resource.paging.maximumSize]));
  inOrder(trial, own, resource, sort);
  const [first] = resultsOf(own.answer);
  const one = await trial.get(path + query(["pageSize", 1]));
  trial.value(
    one,
    resultsOf(one.answer).length,
    first === undefined ? 0 : 1,
    "results on a page of 1",
  );
  trial.fields(await trial.get(`${path}?noSuchName=1`), "noSuchName");
  trial.refusal(await trial.send("POST", path, { body: {} }), 405, "MethodNotAllowedMessage");
  const filter = placesOf(resource.properties, ({ filterable }) => filterable).find(
    ({ path: place }) => typeof at(first, place) === "string",
  );
  if (filter === undefined) return;
  const value = String(at(first, filter.path));
  const filtered = await trial.get(path + query([filter.path, value]));
  const others = resultsOf(filtered.answer).filter((result) => {
    const found = at(result, filter.path);
    return !isList(found) && found !== value;
  });
  const count = resultsOf(filtered.answer).length;
  trial.expect(
    filtered,
    count > 0 && others.length === 0,
    `only those with ${filter.path} ${value}`,
  );
}
