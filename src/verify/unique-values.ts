import type { PropertyModel } from "../kinds/property-model.js";
import { valueOf } from "../kinds/values.js";
import type { ResourceModel } from "../model/resource-model.js";
import { isObject, type Json } from "../samples/json.js";
import type { Exchange } from "./exchange.js";

/** So many values are given away before one that no entity has is given again. */
const RECENT = 20;
/** A unique property with fewer values than that would run out of them within one check. */
const ENOUGH = 60;
/** So many show whether values that are chosen at random are few. */
const MANY = 200;
/** The same property has few values in every run, or in none. */
const SAME_RUN = "00000000-0000-4000-8000-000000000000";

/** The values of unique properties that entities of a session have, so that no body asks for one that is taken. */
export class UniqueValues {
  /** By the path of the entity. */
  private readonly kept = new Map<string, readonly string[]>();
  private readonly recent: string[] = [];
  private readonly few = new Map<ResourceModel, string | null>();

  /** Learns from an answer what an entity holds, or that it is gone. */
  observe({ answer, request }: Exchange, resource: ResourceModel): void {
    const { status, json } = answer;
    const unique = uniqueOf(resource);
    if (unique.length === 0 || status < 200 || status > 299) return;
    if (request.method === "DELETE") this.kept.delete(request.path);
    const id = isObject(json) ? json[resource.name.idProperty] : undefined;
    if (!isObject(json) || typeof id !== "string") return;
    const values = unique.map(({ name, path }) => keyOf(path, json[name] ?? null));
    this.kept.set(`${resource.path}/${id}`, values);
  }

  /** Learns that an entity was deleted otherwise. */
  forget(path: string): void {
    this.kept.delete(path);
  }

  /** Whether a body may not ask for a value; one that it may ask for is taken for some time. */
  isTaken(path: string, value: Json): boolean {
    const key = keyOf(path, value);
    const isKept = [...this.kept.values()].some((values) => values.includes(key));
    if (isKept || this.recent.includes(key)) return true;
    this.recent.push(key);
    if (this.recent.length > RECENT) this.recent.shift();
    return false;
  }

  /** The name of a property whose few values do not suffice for what is tried; null where there is none. */
  scarceIn(resource: ResourceModel): string | null {
    const known = this.few.get(resource);
    if (known !== undefined) return known;
    const found = uniqueOf(resource).find((property) => hasFew(property))?.name ?? null;
    this.few.set(resource, found);
    return found;
  }
}

/** Whether no two entities of a resource may have the same value of some property. */
export function hasUnique(resource: ResourceModel): boolean {
  return uniqueOf(resource).length > 0;
}

function uniqueOf({ properties }: ResourceModel): readonly PropertyModel[] {
  return properties.filter(({ unique, readOnly }) => unique && !readOnly);
}

/** Whether it soon runs out of values. References lead to entities that a check makes; what is chosen at random may repeat itself now and then. */
export function hasFew(property: PropertyModel): boolean {
  if (property.type.kind === "reference") return false;
  return repeats(property, ENOUGH) > 0 && repeats(property, MANY) > MANY / 10;
}

/** How many of so many values there have been before; none where there are no values to choose from. */
function repeats(property: PropertyModel, count: number): number {
  const values = Array.from({ length: count }, (_, index) =>
    JSON.stringify(valueOf(property, { run: SAME_RUN, index, anchors: () => [] })),
  );
  return values.includes("null") ? 0 : count - new Set(values).size;
}

function keyOf(path: string, value: Json): string {
  return `${path} ${JSON.stringify(value)}`;
}
