import type { PropertyModel } from "../../kinds/property-model.js";
import { valueOf } from "../../kinds/values.js";
import { referencesOf } from "../../model/references.js";
import type { ResourceModel } from "../../model/resource-model.js";
import {
  clientPart,
  holdsImmutable,
  keeping,
  placesOf,
  replacement,
  settablePart,
} from "../bodies.js";
import { MISSING, pathOf, type Check } from "../check.js";
import {
  at,
  difference,
  isList,
  isObject,
  without,
  withValue,
  type Json,
  type JsonObject,
} from "../../samples/json.js";
import type { Exchange } from "../exchange.js";
import { isGiven, variable } from "../samples.js";
import type { Trial } from "../trial.js";

/** OPS-4, OPS-5: PUT and PATCH. */
export const CHANGES: readonly Check[] = [
  { rule: "OPS-4", run: replace },
  { rule: "OPS-5", run: update },
];

/** OPS-4: a PUT is whole. */
async function replace(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create", "replace"] }, async (resource) => {
    const entity = await trial.make(resource);
    const { exchange: put, body } = await replaced(trial, resource, entity);
    const after = trial.object(put, 200);
    if (after === undefined) return;
    trial.holds(put, clientPart(resource.properties, body), after);
    await isStored(trial, resource, after);
    await missingNames(trial, resource, after);
    await nestedIsWhole(trial, resource, after);
    await immutables(trial, resource, after);
    await additions(trial, resource, after);
    const nothing = await trial.send("PUT", `${resource.path}/${MISSING}`, { body });
    trial.refusal(nothing, 404, `${resource.name.typeName}NotFoundMessage`);
  });
}

/** A PUT of other values; `part` is what is sent of them. */
async function replaced(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
  part = (whole: JsonObject): JsonObject => whole,
): Promise<{ readonly exchange: Exchange; readonly body: JsonObject }> {
  const body = part(replacement(resource, entity, trial.session.nextSeed()));
  return { exchange: await trial.send("PUT", pathOf(resource, entity), { body }), body };
}

async function isStored(trial: Trial, resource: ResourceModel, after: JsonObject): Promise<void> {
  if (trial.session.obstacle(resource, ["read"]) !== null) return;
  const read = await trial.get(pathOf(resource, after));
  trial.value(read, read.answer.json, after, "the entity as it was answered to the change");
}

/** What is missing is told, all of it at once; immutable and service-written properties may be. */
async function missingNames(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  const body = settablePart(resource, entity);
  const needed = resource.properties.filter(
    ({ readOnly, immutable, addedLater }) => !readOnly && !immutable && !addedLater,
  );
  const path = pathOf(resource, entity);
  for (const { name } of needed) {
    trial.fields(await trial.send("PUT", path, { body: without(body, name) }), name);
  }
  const names = needed.map(({ name }) => name);
  if (names.length > 0) trial.fields(await trial.send("PUT", path, { body: {} }), ...names);
}

/** A nested object in a PUT is whole, too: what it leaves out is null. */
async function nestedIsWhole(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  const isNullable = (property: PropertyModel): boolean => {
    const { nullable, type, readOnly, immutable, addedLater } = property;
    const isKept = readOnly || immutable || addedLater || holdsImmutable(property);
    return nullable && type.kind !== "array" && !isKept;
  };
  for (const { name, type, readOnly, immutable } of resource.properties) {
    if (type.kind !== "object" || readOnly || immutable) continue;
    const inner = type.properties.find(isNullable);
    if (inner === undefined || variable(trial, resource, [inner]).length === 0) continue;
    const part = (whole: JsonObject): JsonObject => {
      const object = whole[name];
      return isObject(object) ? { ...whole, [name]: without(object, inner.name) } : whole;
    };
    const { exchange: put, body } = await replaced(trial, resource, entity, part);
    if (!isObject(body[name])) continue;
    trial.value(put, at(trial.object(put, 200), inner.path), null, `${inner.path}, left out`);
  }
}

/** What was added after the version was published keeps its value where a PUT leaves it out. */
async function additions(trial: Trial, resource: ResourceModel, entity: JsonObject): Promise<void> {
  const added = resource.properties.filter(({ addedLater, readOnly }) => addedLater && !readOnly);
  for (const { name } of added) {
    const before = trial.object((await replaced(trial, resource, entity)).exchange, 200);
    if (before === undefined) return;
    const part = (whole: JsonObject): JsonObject => without(whole, name);
    const { exchange: put } = await replaced(trial, resource, before, part);
    trial.value(put, at(trial.object(put, 200), name), before[name] ?? null, `${name}, left out`);
  }
}

/** Set on create, and never changed: by PUT or PATCH. */
async function immutables(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  for (const { name } of resource.properties.filter(({ immutable }) => immutable)) {
    const part = (whole: JsonObject): JsonObject => without(whole, name);
    trial.status((await replaced(trial, resource, entity, part)).exchange, 200);
  }
  for (const { place, value, told } of forbidden(trial, resource.properties, entity))
    await refused(trial, resource, { entity, place, value, told });
}

/** The changes that what is immutable rules out, at any depth outside of lists. */
function forbidden(
  trial: Trial,
  properties: readonly PropertyModel[],
  entity: JsonObject,
): readonly Omit<Refused, "entity">[] {
  return properties.flatMap((property) => {
    const { path: place, type, immutable, nullable } = property;
    if (property.readOnly) return [];
    if (immutable) {
      const value = otherValue(trial, property, at(entity, place));
      return value === null ? [] : [{ place, value, told: [toldOf(property)] }];
    }
    if (type.kind !== "object") return [];
    const told = lostWith(type.properties, entity);
    const removal = nullable && told.length > 0 ? [{ place, value: null, told }] : [];
    return [...removal, ...forbidden(trial, type.properties, entity)];
  });
}

/** A change of one place that is refused, with the fields that are told. */
interface Refused {
  readonly entity: JsonObject;
  readonly place: string;
  readonly value: Json;
  readonly told: readonly string[];
}

async function refused(
  trial: Trial,
  resource: ResourceModel,
  { entity, place, value, told }: Refused,
): Promise<void> {
  const path = pathOf(resource, entity);
  const body = withValue(settablePart(resource, entity), place, value);
  trial.fields(await trial.send("PUT", path, { body }), ...told);
  if (trial.session.obstacle(resource, ["update"]) !== null) return;
  const part = withValue({}, place, value);
  trial.fields(await trial.send("PATCH", path, { body: part }), ...told);
}

/** Another reference is told on its identifier. */
function toldOf({ type, path }: PropertyModel): string {
  return type.kind === "reference" ? `${path}.${type.identifier.name}` : path;
}

/** What is set once in an object, and would get lost with it. */
function lostWith(properties: readonly PropertyModel[], entity: JsonObject): string[] {
  return properties.flatMap(({ path, type, immutable, readOnly }) => {
    if (readOnly) return [];
    if (!immutable) return type.kind === "object" ? lostWith(type.properties, entity) : [];
    const value = at(entity, path) ?? null;
    const isThere = isList(value) ? value.length > 0 : value !== null;
    return isThere ? [path] : [];
  });
}

/** A value that an immutable property does not have; null where none was found. */
function otherValue(trial: Trial, property: PropertyModel, value: Json | undefined): Json {
  const { type } = property;
  for (let turn = 0; turn < 5; turn += 1) {
    const made = valueOf(property, trial.session.nextSeed());
    // What is immutable within an object would be told instead of it.
    const isKeeping = type.kind === "object" && isObject(made) && isObject(value);
    const other = isKeeping ? keeping(type.properties, made, value) : made;
    if (difference(other, value) !== null) return other;
  }
  return null;
}

/** OPS-5: a PATCH is any part, merged also within objects; lists are replaced. */
async function update(trial: Trial): Promise<void> {
  await trial.each({ needs: ["create", "update"] }, async (resource) => {
    const isFree = ({ immutable, path }: PropertyModel): boolean =>
      !immutable && path !== resource.entity.states?.property;
    let entity = await trial.make(resource);
    const { properties } = resource;
    for (const { property, path: place } of placesOf(properties, isFree)) {
      const isSampled = isGiven(trial, resource, place);
      if (isSampled && place.includes(".")) continue;
      const whole = replacement(resource, entity, trial.session.nextSeed());
      // What a sample gives belongs together: a line of an order, and the branch that has it.
      const names = isSampled ? Object.keys(trial.session.given(resource.path)) : [];
      const beside = Object.fromEntries(names.map((name) => [name, whole[name] ?? null]));
      const body = clientPart(properties, withValue(beside, place, at(whole, place) ?? null));
      const patched = await trial.send("PATCH", pathOf(resource, entity), { body });
      const after = trial.object(patched, 200);
      if (after === undefined) continue;
      const value = at(body, place) ?? null;
      trial.holds(patched, body, after);
      const before = at(entity, place);
      // What the service itself writes into an object is not sent.
      const merged = isObject(value) && isObject(before) ? { ...before, ...value } : value;
      // Other references show what was not sent.
      const isReferring = referencesOf({ properties: [property] }).length > 0;
      const wanted = isReferring ? (at(after, place) ?? null) : merged;
      const known = {
        wanted: clientPart(properties, withValue(entity, place, wanted)),
        after: clientPart(properties, after),
      };
      others(trial, { place, names }, { exchange: patched, ...known });
      entity = after;
    }
    await isStored(trial, resource, entity);
    await mergePatch(trial, resource, entity);
    const nothing = await trial.send("PATCH", `${resource.path}/${MISSING}`, { body: {} });
    trial.refusal(nothing, 404, `${resource.name.typeName}NotFoundMessage`);
  });
}

/** Every property that was not named is as it was; those that are read only are the service's own. */
function others(
  trial: Trial,
  { place, names }: { readonly place: string; readonly names: readonly string[] },
  { exchange, wanted, after }: { exchange: Exchange; wanted: JsonObject; after: JsonObject },
): void {
  const [name = ""] = place.split(".");
  const rest = (object: JsonObject): JsonObject => without(object, name, ...names, ...STAMPS);
  trial.value(exchange, rest(after), rest(wanted), `what was not named beside ${place}`);
  if (place.includes(".")) {
    trial.value(exchange, after[name], wanted[name] ?? null, `${name}, of which a part was sent`);
  }
}

const STAMPS = ["lastModifiedDate", "lastModifiedSubject"];

async function mergePatch(
  trial: Trial,
  resource: ResourceModel,
  entity: JsonObject,
): Promise<void> {
  const headers = { "content-type": "application/merge-patch+json" };
  const patched = await trial.send("PATCH", pathOf(resource, entity), { text: "{}", headers });
  trial.value(
    patched,
    trial.object(patched, 200),
    entity,
    "the entity, after an empty merge patch",
  );
}
