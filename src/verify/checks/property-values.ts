import type { PropertyModel } from "../../kinds/property-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody, holdsImmutable, isUnique, leastBody, placesOf, type Place } from "../bodies.js";
import { pathOf, query, type Check } from "../check.js";
import type { Exchange } from "../exchange.js";
import { at, isList, isObject, withValue, type Json, type JsonObject } from "../../samples/json.js";
import { withFirstAt } from "../places.js";
import { isGiven, variable } from "../samples.js";
import { NO_TIMES, TIME } from "../time-text.js";
import type { Trial } from "../trial.js";

/** REP-1 to REP-3: times, nulls and empty lists. */
export const PROPERTY_VALUES: readonly Check[] = [
  { rule: "REP-1", run: times },
  { rule: "REP-2", run: absentIsNull },
  { rule: "REP-3", run: emptyIsAList },
];

const SOME_TIME = "2024-02-29T23:59:59.999Z";

/** REP-1: one form of time, in and out. */
async function times(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const entity = await trial.make(resource);
    for (const name of ["createdDate", "lastModifiedDate"]) {
      const isTime = TIME.test(String(entity[name]));
      trial.expect(trial.latest, isTime, `${name} as yyyy-MM-ddTHH:mm:ss.SSSZ`);
    }
    const isTimed = ({ type }: PropertyModel): boolean =>
      type.kind === "timestamp" || (type.kind === "array" && type.items.kind === "timestamp");
    for (const place of placesOf(resource.properties, isTimed)) {
      await timesAt(trial, resource, place);
      await filteredTimes(trial, resource, place);
    }
  });
}

async function timesAt(trial: Trial, resource: ResourceModel, place: Place): Promise<void> {
  const { path, property } = place;
  const isMany = property.type.kind === "array";
  const full = (): JsonObject => fullBody(resource, trial.session.nextSeed());
  const body = (time: string): JsonObject => withFirstAt(full(), path, time);
  // Where no two entities have the same time, each body has one of its own.
  const isOwn = isUnique(resource, property) || isGiven(trial, resource, path);
  const sent = isOwn ? full() : body(SOME_TIME);
  const made = await trial.post(resource, { body: sent });
  trial.value(made, at(trial.object(made, 201), path), at(sent, path) ?? null, path);
  for (const time of NO_TIMES) {
    const refused = await trial.post(resource, { body: body(time) });
    trial.fields(refused, isMany ? `${path}[0]` : path);
  }
}

async function filteredTimes(
  trial: Trial,
  resource: ResourceModel,
  { path, property }: Place,
): Promise<void> {
  if (!property.filterable || trial.session.obstacle(resource, ["list"]) !== null) return;
  for (const time of NO_TIMES.slice(0, 4)) {
    trial.fields(await trial.get(resource.path + query([path, time])), path);
  }
}

/** REP-2: what is absent is null, at every depth, and a blank text is absent. */
async function absentIsNull(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create"] }, async (resource) => {
    const body = leastBody(resource, trial.session.nextSeed());
    const made = await trial.post(resource, { body });
    const entity = trial.object(made, 201);
    if (entity === undefined) return;
    nothingMissing(trial, made, resource.properties, entity);
    if (trial.session.obstacle(resource, ["read"]) === null) {
      const read = await trial.get(pathOf(resource, entity));
      nothingMissing(trial, read, resource.properties, read.answer.json);
    }
    await blanks(trial, resource);
    await emptyObjects(trial, resource);
    if (trial.session.obstacle(resource, ["update"]) === null) await nulls(trial, resource);
  });
}

/** Properties that were left out are in the answer; custom code may have set them, but never to a blank string. */
function nothingMissing(
  trial: Trial,
  exchange: Exchange,
  properties: readonly PropertyModel[],
  holder: Json | undefined,
): void {
  for (const { name, path, type } of properties) {
    const value = isObject(holder) ? holder[name] : undefined;
    const isThere = value !== undefined && (typeof value !== "string" || value.trim() !== "");
    const isWhole = type.kind !== "object" || value === null || isObject(value);
    const got = value === undefined ? "nothing" : JSON.stringify(value);
    trial.expect(exchange, isThere && isWhole, `${path} is null if it is absent`, got);
    if (type.kind === "object" && isObject(value)) {
      nothingMissing(trial, exchange, type.properties, value);
    }
  }
}

async function blanks(trial: Trial, resource: ResourceModel): Promise<void> {
  const isText = ({ type, immutable }: PropertyModel): boolean =>
    type.kind === "string" && !immutable;
  for (const { path, property } of placesOf(resource.properties, isText)) {
    for (const blank of ["", " \t "]) {
      const full = fullBody(resource, trial.session.nextSeed());
      const body = withValue(full, path, blank);
      const sent = await trial.post(resource, { body });
      if (!property.nullable) trial.fields(sent, path);
      else if (property.default === null && !isGiven(trial, resource, path)) {
        trial.value(sent, at(trial.object(sent, 201), path), null, path);
      }
    }
  }
}

/** An empty object is one of nulls; one that is left out is null. */
async function emptyObjects(trial: Trial, resource: ResourceModel): Promise<void> {
  const isPlain = ({ type, nullable }: PropertyModel): boolean =>
    type.kind === "object" &&
    nullable &&
    type.properties.every((inner) => inner.nullable && inner.default === null);
  for (const property of variable(trial, resource, resource.properties.filter(isPlain))) {
    if (property.readOnly || property.type.kind !== "object") continue;
    const body = { ...fullBody(resource, trial.session.nextSeed()), [property.name]: {} };
    const made = await trial.post(resource, { body });
    const value = trial.object(made, 201)?.[property.name];
    const inner = property.type.properties.filter(({ readOnly }) => !readOnly);
    const isObjectOfNulls = isObject(value) && inner.every(({ name }) => value[name] === null);
    trial.expect(made, isObjectOfNulls, `${property.path}: an object of nulls`);
  }
}

/** Null removes a value. */
async function nulls(trial: Trial, resource: ResourceModel): Promise<void> {
  let entity = await trial.make(resource);
  const { properties } = resource;
  const isFree = (property: PropertyModel): boolean =>
    property.nullable && !property.immutable && !holdsImmutable(property);
  // What an object holds goes before the object: a new one might need more than that.
  for (const { path } of variable(trial, resource, placesOf(properties, isFree)).toReversed()) {
    const body = withValue({}, path, null);
    const patched = await trial.send("PATCH", pathOf(resource, entity), { body });
    const after = trial.object(patched, 200);
    trial.value(patched, at(after, path), null, path);
    entity = after ?? entity;
  }
}

/** REP-3: nothing, null and an empty list are an empty list. */
async function emptyIsAList(trial: Trial): Promise<void> {
  const isArray = ({ type, immutable }: PropertyModel): boolean =>
    type.kind === "array" && !immutable;
  const where = ({ properties }: ResourceModel): boolean =>
    placesOf(properties, isArray).length > 0;
  const otherwise = "no resource has a list";
  await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
    for (const { path, property } of placesOf(resource.properties, isArray)) {
      const least = property.type.kind === "array" ? property.type.minItems : 0;
      if (least === 0 && variable(trial, resource, [property]).length === 0) continue;
      for (const value of [null, []]) {
        const body = withValue(fullBody(resource, trial.session.nextSeed()), path, value);
        const made = await trial.post(resource, { body });
        if (least > 0) trial.fields(made, path);
        else trial.value(made, at(trial.object(made, 201), path), [], path);
      }
    }
    const made = await trial.post(resource, {
      body: leastBody(resource, trial.session.nextSeed()),
    });
    const entity = trial.object(made, 201) ?? {};
    const lists = resource.properties.filter(({ type }) => type.kind === "array");
    const others = lists.filter(({ name }) => !isList(entity[name])).map(({ name }) => name);
    trial.value(made, others, [], "lists that are not [] after being left out");
  });
}
