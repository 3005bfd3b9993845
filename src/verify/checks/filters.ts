import type { ResourceModel } from "../../model/resource-model.js";
import { filterPlaces, placesOf, type FilterPlace } from "../bodies.js";
import { query, type Check } from "../check.js";
import { at, isEqual, isList, withValue, type Json, type JsonObject } from "../../samples/json.js";
import { ranges } from "./ranges.js";
import { tellGiven, variable } from "../samples.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";
import { filtered, finds, textOf, type Parameter } from "./filtered-lists.js";

/** QRY-1 to QRY-3: filters. */
export const FILTERS: readonly Check[] = [
  { rule: "QRY-1", run: equality },
  { rule: "QRY-2", run: nested },
  { rule: "QRY-3", run: several },
];

function has(value: Json | undefined, wanted: Json | undefined): boolean {
  return isList(value) ? value.some((item) => isEqual(item, wanted)) : isEqual(value, wanted);
}

async function byEach(
  trial: Trial,
  isWanted: (place: FilterPlace) => boolean,
  otherwise: string,
): Promise<void> {
  const where = (resource: ResourceModel): boolean => filterPlaces(resource).some(isWanted);
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    const places = filterPlaces(resource).filter(isWanted);
    // Every entity of this run has the sample, so that nothing shows whether others are left out.
    tellGiven(trial, resource, places);
    for (const { path } of places) {
      await trial.make(resource);
      const entity = await trial.make(resource);
      const found = at(entity, path);
      const value = isList(found) ? found[0] : found;
      if (value === null || value === undefined) continue;
      const isMatch = (result: JsonObject): boolean => has(at(result, path), value);
      finds(trial, await filtered(trial, resource, [[path, textOf(value)]]), { entity, isMatch });
    }
  });
}

/** QRY-1: a filterable property is a parameter; other properties and common fields are not. */
async function equality(trial: Trial): Promise<void> {
  await byEach(trial, ({ path }) => !path.includes("."), "no property is filterable");
  await trial.each({ needs: ["list"] }, async (resource) => {
    const others = placesOf(
      resource.properties,
      ({ filterable, path }) => filterable === false && path.length <= MOST_SHOWN,
    );
    const opened = resource.commonFilters.map(({ path }) => path);
    const closed = COMMON.filter((name) => !opened.includes(name));
    const names = [...others.slice(0, 5).map(({ path }) => path), ...closed];
    for (const name of names) {
      trial.fields(await trial.get(resource.path + query([name, "x"])), name);
    }
  });
}

/** A refusal cuts off a longer name of what is not a parameter. */
const MOST_SHOWN = 40;

const COMMON = ["createdDate", "lastModifiedDate", "createdSubject"];

/** QRY-2: a nested field is addressed with a dot. */
async function nested(trial: Trial): Promise<void> {
  await byEach(trial, ({ path }) => path.includes("."), "no nested property is filterable");
}

/** QRY-3: several parameters all hold, several values of one are alternatives, an empty one is null or `[]`. */
async function several(trial: Trial): Promise<void> {
  const where = (resource: ResourceModel): boolean => filterPlaces(resource).length > 0;
  const otherwise = "no property is filterable";
  await trial.each({ needs: ["create", "list"], where, otherwise }, async (resource) => {
    await alternatives(trial, resource);
    await all(trial, resource);
    const places = variable(trial, resource, filterPlaces(resource));
    for (const place of places) await absent(trial, resource, place);
    await ranges(trial, resource);
  });
}

async function alternatives(trial: Trial, resource: ResourceModel): Promise<void> {
  for (const { path } of filterPlaces(resource)) {
    const [first, second] = [await trial.make(resource), await trial.make(resource)];
    const values = [first, second].map((entity) => firstOf(at(entity, path)));
    if (values.some((value) => value === null || value === undefined)) continue;
    const parameters = values.map((value): Parameter => [path, textOf(value)]);
    const listed = await filtered(trial, resource, parameters);
    const isMatch = (result: JsonObject): boolean =>
      values.some((value) => has(at(result, path), value));
    finds(trial, listed, { entity: first, isMatch });
    finds(trial, listed, { entity: second, isMatch });
  }
}

function firstOf(value: Json | undefined): Json | undefined {
  return isList(value) ? value[0] : value;
}

/** Values of two entities that hold for none of them, but where they are the same. */
async function all(trial: Trial, resource: ResourceModel): Promise<void> {
  const paths = filterPlaces(resource).map(({ path }) => path);
  const [first, second] = [await trial.make(resource), await trial.make(resource)];
  const pick = (entity: JsonObject, path: string): Parameter => [
    path,
    textOf(firstOf(at(entity, path))),
  ];
  for (const path of paths) {
    const [other = path] = paths.filter((one) => one !== path && differs(one, first, second));
    const values = [at(first, path), at(first, other), at(second, other)].map(firstOf);
    if (other === path || values.some((value) => value === null || value === undefined)) continue;
    const mixed = [pick(first, path), pick(second, other)];
    const listed = await filtered(trial, resource, mixed);
    const isMatch = (result: JsonObject): boolean =>
      mixed.every(([name, text]) =>
        [at(result, name) ?? null].flat().some((value) => textOf(value) === text),
      );
    const strangers = resultsOf(listed.answer).filter((result) => !isMatch(result));
    trial.status(listed, 200);
    trial.expect(listed, strangers.length === 0, "only entities that match both parameters");
    const own = [pick(first, path), pick(first, other)];
    finds(trial, await filtered(trial, resource, own), { entity: first, isMatch: () => true });
  }
}

function differs(path: string, first: JsonObject, second: JsonObject): boolean {
  return !isEqual(firstOf(at(first, path)), firstOf(at(second, path)));
}

async function absent(trial: Trial, resource: ResourceModel, place: FilterPlace): Promise<void> {
  const { path, settable, empty } = place;
  if (empty === undefined || path === resource.entity.states?.property) return;
  const holder = settable.split(".")[0] ?? "";
  const seed = await trial.make(resource);
  const changed = withValue({ [holder]: seed[holder] ?? null }, settable, empty);
  const entity = await trial.make(resource, changed);
  const isEmpty = (one: JsonObject): boolean => isEqual(at(one, path) ?? null, empty);
  // The service's own code may give it a value.
  if (!isEmpty(entity)) return;
  finds(trial, await filtered(trial, resource, [[path, ""]]), { entity, isMatch: isEmpty });
}
