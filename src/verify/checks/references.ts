import type { PropertyModel } from "../../kinds/property-model.js";
import type { ReferenceType } from "../../kinds/reference/reference-type.js";
import type { ResourceModel } from "../../model/resource-model.js";
import { fullBody } from "../bodies.js";
import { MISSING, pathOf, type Check } from "../check.js";
import type { Exchange } from "../exchange.js";
import { at, isObject, type Json, type JsonObject } from "../../samples/json.js";
import { firstAt, placeOf, withFirstAt } from "../places.js";
import type { Trial } from "../trial.js";

/** REP-4: references. */
export const REFERENCES: readonly Check[] = [{ rule: "REP-4", run: references }];

/** A property that refers, by itself or in a list. */
export interface Referring {
  readonly property: PropertyModel;
  readonly reference: ReferenceType;
  readonly isList: boolean;
}

/** The references at the top level of a resource that a client can set. */
export function referringOf({ properties }: ResourceModel): readonly Referring[] {
  return properties.flatMap((property) => {
    const { type, readOnly } = property;
    const reference = type.kind === "array" ? type.items : type;
    if (reference.kind !== "reference" || readOnly) return [];
    return [{ property, reference, isList: type.kind === "array" }];
  });
}

/** Those inside of objects and of items as well. */
export function allReferringOf(properties: readonly PropertyModel[]): readonly Referring[] {
  return properties.flatMap((property) => {
    const { type, readOnly } = property;
    const inner = type.kind === "array" ? type.items : type;
    if (readOnly) return [];
    if (inner.kind === "object") return allReferringOf(inner.properties);
    const isList = type.kind === "array";
    return inner.kind === "reference" ? [{ property, reference: inner, isList }] : [];
  });
}

/** REP-4: an object with the identifier, and embedded properties with the values of the other entity. */
async function references(trial: Trial): Promise<void> {
  const where = ({ properties }: ResourceModel): boolean => allReferringOf(properties).length > 0;
  const otherwise = "no resource has a reference";
  await trial.each({ needs: ["create"], where, otherwise }, async (resource) => {
    for (const referring of allReferringOf(resource.properties)) {
      await trial.attempt(async () => {
        await shown(trial, resource, referring);
        await embeddedIsIgnored(trial, resource, referring);
        await refused(trial, resource, referring);
      });
    }
  });
}

/** The first of what is referred to in an answer. */
function firstOf(entity: JsonObject | undefined, { property }: Referring): Json {
  return firstAt(entity, property.path);
}

async function shown(trial: Trial, resource: ResourceModel, referring: Referring): Promise<void> {
  const { property, reference } = referring;
  const entity = await trial.make(resource);
  compare(trial, trial.latest, { referring, found: firstOf(entity, referring) });
  if (trial.session.obstacle(resource, ["read"]) === null) {
    const read = await trial.get(pathOf(resource, entity));
    compare(trial, read, { referring, found: firstOf(trial.object(read, 200), referring) });
  }
  const names = [reference.identifier, ...reference.embedded].map(({ name }) => name).sort();
  const value = firstOf(entity, referring);
  const told = isObject(value) ? Object.keys(value).sort() : [];
  if (value !== null) trial.value(trial.latest, told, names, `names of ${property.path}`);
}

/** Embedded values equal those of the other entity. */
function compare(
  trial: Trial,
  exchange: Exchange,
  { referring, found }: { referring: Referring; found: Json },
): void {
  const { reference, property } = referring;
  if (!isObject(found) || reference.target === null) return;
  const { identifier, embedded, target } = reference;
  const anchors = trial.session.nextSeed().anchors(target.name.plural);
  const other = anchors.find((anchor) => anchor[identifier.name] === found[identifier.name]);
  for (const { name } of other === undefined ? [] : embedded) {
    trial.value(exchange, found[name], other?.[name] ?? null, `${property.path}.${name}`);
  }
}

/** In a body only the identifier is read, also in upper case. */
async function embeddedIsIgnored(
  trial: Trial,
  resource: ResourceModel,
  referring: Referring,
): Promise<void> {
  const { property, reference } = referring;
  const { identifier, embedded } = reference;
  const body = fullBody(resource, trial.session.nextSeed());
  const own = firstOf(body, referring);
  const id = at(own, identifier.name);
  if (typeof id !== "string") return;
  const forged = Object.fromEntries(embedded.map(({ name }) => [name, { forged: true }]));
  const isText = identifier.type.kind === "string";
  const sent = { ...forged, [identifier.name]: isText ? id : id.toUpperCase() };
  const made = await trial.post(resource, { body: withFirstAt(body, property.path, sent) });
  const value = firstOf(trial.object(made, 201), referring);
  trial.value(made, at(value, identifier.name), id, `${property.path}.${identifier.name}`);
  const taken = embedded.filter(({ name }) => isObject(at(value, name))).map(({ name }) => name);
  trial.value(made, taken, [], "embedded values that were taken from the body");
}

/** A reference to an entity that does not exist, and a flat identifier. */
async function refused(trial: Trial, resource: ResourceModel, referring: Referring): Promise<void> {
  const { property, reference } = referring;
  const { name, type } = reference.identifier;
  const body = fullBody(resource, trial.session.nextSeed());
  const isInside = property.path !== property.name;
  if (isInside && firstOf(body, referring) === null) return;
  const post = async (value: Json): Promise<Exchange> =>
    trial.post(resource, { body: withFirstAt(body, property.path, value) });
  const place = placeOf(body, property.path);
  const wrong = type.kind === "string" ? " " : "no-uuid";
  const ids = [wrong, ...(reference.target === null ? [] : [MISSING])];
  for (const id of ids) trial.fields(await post({ [name]: id }), `${place}.${name}`);
  trial.fields(
    await post({ unknownName: 1, [name]: wrong }),
    `${place}.${name}`,
    `${place}.unknownName`,
  );
  if (name === resource.name.idProperty || isInside) return;
  const flat = await trial.post(resource, { body: { ...body, [name]: MISSING } });
  trial.fields(flat, name);
}
