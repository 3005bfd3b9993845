import type { ResourceModel } from "../../model/resource-model.js";
import { at, type Json, type JsonObject } from "../../samples/json.js";
import { filterPlaces, type FilterPlace } from "../bodies.js";
import { query } from "../check.js";
import { compareValues } from "../order.js";
import { readingOf } from "../readings.js";
import { resultsOf } from "../exchange.js";
import type { Trial } from "../trial.js";
import { filtered, finds, textOf } from "./filtered-lists.js";

/** Whether a value is within a bound, by what a comparison of the two says. */
const BOUNDS: Readonly<Record<string, (order: number) => boolean>> = {
  atLeast: (order) => order >= 0,
  moreThan: (order) => order > 0,
  atMost: (order) => order <= 0,
  lessThan: (order) => order < 0,
};

/** QRY-3: a property that says so is filtered by bounds; any other is not. */
export async function ranges(trial: Trial, resource: ResourceModel): Promise<void> {
  for (const place of filterPlaces(resource)) {
    if (place.property.filterable === "range") await range(trial, resource, place);
    else await noBound(trial, resource, `${place.path}.atLeast`);
  }
}

/** An unknown name that is longer is cut in the answer. */
const LONGEST_NAME = 40;

async function noBound(trial: Trial, resource: ResourceModel, name: string): Promise<void> {
  if (name.length > LONGEST_NAME) return;
  trial.fields(await trial.get(resource.path + query([name, "1"])), name);
}

async function range(trial: Trial, resource: ResourceModel, place: FilterPlace): Promise<void> {
  const { path, property } = place;
  const made = [await trial.make(resource), await trial.make(resource)];
  for (const entity of made) {
    const bound = at(entity, path);
    if (bound === null || bound === undefined) continue;
    for (const name of Object.keys(BOUNDS)) {
      const listed = await filtered(trial, resource, [[`${path}.${name}`, textOf(bound)]]);
      const isMatch = (result: JsonObject): boolean =>
        isWithinBound(at(result, path), bound, { name, place });
      const within = made.filter(isMatch);
      for (const one of within) finds(trial, listed, { entity: one, isMatch });
      const shown = resultsOf(listed.answer).every(isMatch);
      trial.expect(listed, shown, `only entities whose ${path} is ${name} ${textOf(bound)}`);
    }
  }
  await refusals(trial, resource, place);
  const [wrong] = readingOf(property.type).wrongTexts(property.type);
  const name = `${path}.atMost`;
  if (wrong !== undefined) {
    trial.fields(await trial.get(resource.path + query([name, wrong])), name);
  }
}

function isWithinBound(
  value: Json | undefined,
  bound: Json,
  { name, place }: { readonly name: string; readonly place: FilterPlace },
): boolean {
  if (value === null || value === undefined) return false;
  return BOUNDS[name]?.(compareValues(value, bound, place.property.type)) === true;
}

/** A bound is given once, and is not empty. */
async function refusals(
  trial: Trial,
  resource: ResourceModel,
  { path }: FilterPlace,
): Promise<void> {
  const name = `${path}.lessThan`;
  trial.fields(await trial.get(resource.path + query([name, ""])), name);
  trial.fields(await trial.get(resource.path + query([name, ""], [name, ""])), name);
}
