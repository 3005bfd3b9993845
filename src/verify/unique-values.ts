import type { PropertyModel } from "../kinds/property-model.js";
import { objectOf, valueOf } from "../kinds/values.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import { storedPathOf, uniqueLists } from "../model/projection.js";
import type { ResourceModel } from "../model/resource-model.js";
import { difference, isList, isObject, type Json, type JsonObject } from "../samples/json.js";
import type { Seed } from "../samples/seed.js";
import type { Exchange } from "./exchange.js";

/** So many values are given away before one that no entity has is given again. */
const RECENT = 20;
/** A unique property with fewer values than that could run out of them within one check. */
const ENOUGH = 60;
/** So many show whether values that are chosen at random are few. */
const MANY = 200;
/** So many combinations of values are looked at to find a free one. */
const MOST_COMBINATIONS = 5000;
/** So many bodies are drawn to find one whose values no entity has. */
const MOST_TURNS = 100;
/** The same property has few values in every run, or in none. */
const SAME_RUN = "00000000-0000-4000-8000-000000000000";

/** An entity that exists, with the values that no other entity may have. */
interface Held {
  readonly id: string;
  /** The plural of the entity. */
  readonly group: string;
  /** By their stored names. */
  readonly values: JsonObject;
  /** By the names of the resource that showed them. */
  readonly shown: JsonObject;
}

/** Properties whose values no two entities share, and all values of those that a body can choose. */
interface FewPlaces {
  readonly names: readonly string[];
  readonly sets: Readonly<Record<string, readonly Json[]>>;
  /** The reference to the parent; "" where the list has none. */
  readonly parent: string;
  readonly capacity: number;
}

/** A request that creates or changes an entity. */
export interface Sending {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}

/** How bodies choose values, apart from what their properties allow. */
export interface Chosen {
  /** The values that samples give for the resource at a path. */
  given(path: string): JsonObject;
  /** Whether each body of a resource refers to an entity that no other one refers to. */
  isSpared(resource: ResourceModel, reference: ReferenceType): boolean;
}

/** The values of unique properties that entities have, so that no body asks for one that is taken. */
export class UniqueValues {
  /** By identifier. */
  private readonly held = new Map<string, Held>();
  private readonly recent: string[] = [];
  private readonly few = new Map<ResourceModel, readonly FewPlaces[]>();

  constructor(private readonly chosen: Chosen = { given: () => ({}), isSpared: () => true }) {}

  /** Learns from an answer what entities hold, or that one is gone. */
  observe({ answer, request }: Exchange, resource: ResourceModel): void {
    const { status, json } = answer;
    if (!hasUnique(resource) || status < 200 || status > 299) return;
    if (request.method === "DELETE") this.forget(request.path);
    if (!isObject(json)) return;
    const results = isList(json["results"]) ? json["results"] : [json];
    for (const one of results.filter(isObject)) this.keep(resource, one);
  }

  /** Learns that an entity was deleted otherwise. */
  forget(path: string): void {
    this.held.delete(lastOf(path));
  }

  /** Forgets all entities of a resource, before they are read again. */
  forgetAll(resource: ResourceModel): void {
    for (const [key, { group }] of this.held)
      if (group === groupOf(resource)) this.held.delete(key);
  }

  /** Whether a body may not ask for a value; one that it may ask for is taken for some time. */
  isTaken(path: string, value: Json): boolean {
    const key = `${path} ${JSON.stringify(value)}`;
    const isKept = [...this.held.values()].some(
      ({ shown }) => difference(value, shown[path]) === null,
    );
    return isKept || !this.isNew(key);
  }

  /** Whether some unique list of a resource can hold few entities. */
  isFew(resource: ResourceModel): boolean {
    return this.fewOf(resource).length > 0;
  }

  /** Why a body would get no free place in a unique list if so many places stay free; null where it gets one. */
  scarceIn(resource: ResourceModel, parent: Json, spared: number): string | null {
    const full = this.fewOf(resource).find(
      (list) => list.capacity - this.takenOf(resource, list, parent) <= spared,
    );
    if (full === undefined) return null;
    const taken = this.takenOf(resource, full, parent);
    const kept = spared === 0 ? "" : "; one is kept free";
    return `no two ${resource.name.plural} have the same ${full.names.join(" and ")} (taken: ${taken} of ${full.capacity}${kept})`;
  }

  /** Values that no entity has, for what a body chooses in unique lists; null where there are none. */
  freeValues(resource: ResourceModel, body: JsonObject, seed: Seed): JsonObject | null {
    const others = this.redrawn(resource, body, seed);
    const lists = this.fewOf(resource);
    const sets = Object.entries(
      Object.assign({}, ...lists.map((list) => list.sets)) as FewPlaces["sets"],
    );
    const total = sets.reduce((count, [, values]) => count * values.length, 1);
    let found: JsonObject | null = null;
    for (let index = 0; index < Math.min(total, MOST_COMBINATIONS); index += 1) {
      const chosen = combination(sets, seed.index + index);
      const made = { ...body, ...chosen };
      if (lists.some((list) => this.holders(resource, made, chosenIn(list)).length > 0)) continue;
      found ??= { ...others, ...chosen };
      if (sets.length > 0 && !this.isNew(`${groupOf(resource)} ${JSON.stringify(chosen)}`))
        continue;
      return { ...others, ...chosen };
    }
    return found;
  }

  /** The names of a unique list in which another entity has the values of a request; null if none has. */
  takenBy(
    { method, path, body: sent }: Sending,
    resource: ResourceModel,
  ): readonly string[] | null {
    const id = method === "POST" ? "" : lastOf(path);
    const own = this.held.get(id)?.shown ?? {};
    const body = { ...defaultsOf(resource), ...own, ...sent };
    const parent = parentOf(resource);
    const above = { [resource.parent?.name.idProperty ?? ""]: path.split("/").at(-2) ?? "" };
    const made = parent === "" || isObject(body[parent]) ? body : { ...body, [parent]: above };
    const isTaken = (names: readonly string[]): boolean =>
      this.holders(resource, made, names).some((one) => one.id !== id);
    return listsOf(resource).find(isTaken) ?? null;
  }

  /** Other values for a body in unique lists that can hold many, as long as these are taken. */
  private redrawn(resource: ResourceModel, body: JsonObject, seed: Seed): JsonObject {
    const few = this.fewOf(resource).map(({ names }) => names.join());
    const lists = uniqueLists(resource).filter((names) => !few.includes(names.join()));
    const given = this.chosen.given(resource.path);
    const chosen = resource.properties.filter(
      ({ name, type }) =>
        lists.flat().includes(name) &&
        type.kind !== "reference" &&
        name !== resource.entity.states?.property &&
        !Object.hasOwn(given, name),
    );
    const isFree = (names: readonly string[], made: JsonObject): boolean => {
      const values = JSON.stringify(names.map((name) => made[name] ?? null));
      return (
        this.holders(resource, made, names).length === 0 && this.isNew(`${names.join()} ${values}`)
      );
    };
    let drawn: JsonObject = {};
    for (let turn = 1; turn < MOST_TURNS; turn += 1) {
      const made = { ...body, ...drawn };
      if (lists.every((names) => isFree(names, made))) break;
      drawn = objectOf(chosen, { ...seed, index: seed.index + turn });
    }
    return drawn;
  }

  private keep(resource: ResourceModel, entity: JsonObject): void {
    const id = entity[resource.name.idProperty];
    if (typeof id !== "string") return;
    const names = [...new Set(listsOf(resource).flat())];
    const shown = names.map((name) => [name, entity[name] ?? null] as const);
    const values = shown.map(([name, value]) => [storedPathOf(name, resource.projection), value]);
    this.held.set(id, {
      id,
      group: groupOf(resource),
      values: { ...this.held.get(id)?.values, ...Object.fromEntries(values) },
      shown: { ...this.held.get(id)?.shown, ...Object.fromEntries(shown) },
    });
  }

  /** The entities that have the same values of some properties; null is like no other. */
  private holders(
    resource: ResourceModel,
    body: JsonObject,
    names: readonly string[],
  ): readonly Held[] {
    const group = groupOf(resource);
    const wanted = names.map(
      (name) => [storedPathOf(name, resource.projection), body[name] ?? null] as const,
    );
    const isSame = ({ values }: Held): boolean =>
      wanted.every(([name, value]) => value !== null && difference(value, values[name]) === null);
    return [...this.held.values()].filter((one) => one.group === group && isSame(one));
  }

  private takenOf(resource: ResourceModel, list: FewPlaces, parent: Json): number {
    const names = Object.keys(list.sets).map((name) => storedPathOf(name, resource.projection));
    const above = list.parent === "" ? [] : [list.parent];
    const here = this.holders(resource, { [list.parent]: parent }, above);
    const places = here.map(({ values }) => names.map((name) => values[name] ?? null));
    return new Set(places.filter((one) => !one.includes(null)).map((one) => JSON.stringify(one)))
      .size;
  }

  /** Whether nobody was given it for some time. */
  private isNew(key: string): boolean {
    if (this.recent.includes(key)) return false;
    this.recent.push(key);
    if (this.recent.length > RECENT) this.recent.shift();
    return true;
  }

  private fewOf(resource: ResourceModel): readonly FewPlaces[] {
    const known = this.few.get(resource) ?? this.counted(resource);
    this.few.set(resource, known);
    return known;
  }

  private counted(resource: ResourceModel): readonly FewPlaces[] {
    // A cycle of references ends here.
    this.few.set(resource, []);
    return listsOf(resource).flatMap((names): readonly FewPlaces[] => {
      const members = resource.properties.filter(({ name }) => names.includes(name));
      const sets = members.map((one) => [one.name, this.setOf(resource, one)] as const);
      if (sets.some(([, values]) => values === null)) return [];
      const chosen = sets.flatMap(([name, values]) =>
        values === null || values.length === 0 ? [] : [[name, values] as const],
      );
      const parent = parentOf(resource);
      const capacity = chosen.reduce((count, [, values]) => count * values.length, 1);
      return [
        {
          names,
          sets: Object.fromEntries(chosen),
          parent: names.includes(parent) ? parent : "",
          capacity,
        },
      ];
    });
  }

  /** All values that bodies can have of a property, null where these are many; [] where they cannot choose one. */
  private setOf(resource: ResourceModel, property: PropertyModel): readonly Json[] | null {
    const { name, type, readOnly } = property;
    const { states } = resource.entity;
    if (readOnly) return null;
    if (name === states?.property) return [];
    const given = this.chosen.given(resource.path)[name];
    if (given !== undefined) return given === null ? null : [given];
    if (type.kind !== "reference") return hasFew(property) ? distinct(property, MANY) : null;
    return !type.isParent && this.chosen.isSpared(resource, type) ? null : [];
  }
}

/** Whether no two entities of a resource may have the same value of some property, or of several together. */
export function hasUnique(resource: ResourceModel): boolean {
  return listsOf(resource).length > 0;
}

function listsOf(resource: ResourceModel): readonly (readonly string[])[] {
  const single = resource.properties.filter(({ unique, readOnly }) => unique && !readOnly);
  return [...single.map(({ name }) => [name]), ...uniqueLists(resource)];
}

/** Whether it soon runs out of values. References lead to entities that a check makes; what is chosen at random may repeat itself now and then. */
export function hasFew(property: PropertyModel): boolean {
  if (property.type.kind === "reference") return false;
  return repeats(property, ENOUGH) > 0 && repeats(property, MANY) > MANY / 10;
}

/** How many of so many values there have been before; none where there are no values to choose from. */
function repeats(property: PropertyModel, count: number): number {
  const values = distinct(property, count);
  return values.includes(null) ? 0 : count - values.length;
}

/** The different ones of so many values. */
function distinct(property: PropertyModel, count: number): readonly Json[] {
  const values = Array.from({ length: count }, (_, index) =>
    valueOf(property, { run: SAME_RUN, index, anchors: () => [] }),
  );
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** One of all combinations of values, by its number. */
function combination(
  sets: readonly (readonly [string, readonly Json[]])[],
  number: number,
): JsonObject {
  let rest = number;
  const chosen = sets.map(([name, values]) => {
    const value = values[rest % values.length] ?? null;
    rest = Math.floor(rest / values.length);
    return [name, value] as const;
  });
  return Object.fromEntries(chosen);
}

function chosenIn({ sets, parent }: FewPlaces): readonly string[] {
  return [...Object.keys(sets), ...(parent === "" ? [] : [parent])];
}

/** The reference to the parent; "" where there is none. */
function parentOf({ properties }: ResourceModel): string {
  return properties.find(({ type }) => type.kind === "reference" && type.isParent)?.name ?? "";
}

function defaultsOf({ properties }: ResourceModel): JsonObject {
  // A default of the schema is JSON.
  return Object.fromEntries(properties.map(({ name, default: value }) => [name, value as Json]));
}

/** The same for every resource and version that shows an entity. */
function groupOf({ entity }: ResourceModel): string {
  return entity.name.plural;
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
