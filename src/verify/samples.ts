import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";
import type { Trial } from "./trial.js";

/** Makes an entity of a resource, with these values, and returns a reference to it: `{ branchId: "..." }`. */
export type Make = (plural: string, values?: JsonObject) => Promise<JsonObject>;

/** Values that are made for each body, which is the so many-th of the run. */
export type MadeValues = (make: Make, turn: number) => Promise<JsonObject>;

/** What own code accepts of one resource. */
export interface ResourceSamples {
  /** By the names of properties: every body that is made has them. */
  readonly values: JsonObject;
  /** The state in which others may refer to its entities, and belong to them; null: the one in which they begin. */
  readonly state: string | null;
  /** Makes values for each new body; null: those above are all. */
  readonly made: MadeValues | null;
}

/** What own code accepts, by the paths of resources. */
export type Samples = ReadonlyMap<string, ResourceSamples>;

/** Whether the samples give the value at a path, or what it stands in: then no other one is known to be accepted. */
export function isGiven({ session }: Trial, { path }: ResourceModel, place: string): boolean {
  const [name = ""] = place.split(".");
  return Object.hasOwn(session.given(path), name);
}

/** Those of some places of a resource whose value may be another one; that others are not tried is told. */
export function variable<Place extends { readonly path: string }>(
  trial: Trial,
  resource: ResourceModel,
  places: readonly Place[],
): readonly Place[] {
  tellGiven(trial, resource, places);
  return places.filter(({ path }) => !isGiven(trial, resource, path));
}

/** The first of some places whose value may be another one; that there is none is told. */
export function firstVariable<Place extends { readonly path: string }>(
  trial: Trial,
  resource: ResourceModel,
  places: readonly Place[],
): Place | undefined {
  const found = places.find(({ path }) => !isGiven(trial, resource, path));
  if (found === undefined) tellGiven(trial, resource, places);
  return found;
}

/** Tells which of some places are tried with their sample alone: what else they can hold is not seen. */
export function tellGiven(
  trial: Trial,
  resource: ResourceModel,
  places: readonly { readonly path: string }[],
): void {
  for (const { path } of places.filter((place) => isGiven(trial, resource, place.path))) {
    trial.sampled.add(`${resource.name.plural}.${path}`);
  }
}
