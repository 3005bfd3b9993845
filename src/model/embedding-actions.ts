import type { ObjectType } from "../kinds/object/object-type.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import type { ActionModel } from "./action-model.js";
import type { FindEmbedded } from "./older-version.js";
import { storedNameOf, type Projection } from "./projection.js";
import { referencesOf } from "./references.js";

/** Actions of a version, with what is embedded in their bodies under other names than it is stored (VER-2). */
export function withEmbeds(
  actions: readonly ActionModel[],
  version: string,
  find: FindEmbedded,
): ActionModel[] {
  return actions.map((action) => ({
    ...action,
    embeds: {
      input: embedsOf(action.input, version, find),
      answer: embedsOf(action.answer, version, find),
    },
  }));
}

function embedsOf(body: ObjectType, version: string, find: FindEmbedded): Projection {
  return referencesOf(body).flatMap(({ property: { path }, type: { target, embedded } }) => {
    if (target === null) return [];
    return embedded.flatMap(({ name }) => {
      const found = find(version, target.name.plural, name);
      if (found.name === name && found.instead.length === 0) return [];
      const own = { property: `${path}.${name}`, storedPath: `${path}.${found.name}` };
      return [{ ...own, instead: found.instead }];
    });
  });
}

/** What is stored of an entity: its properties, by its plural. */
export type StoredProperties = (plural: string) => readonly PropertyModel[];

/** An action as the service's own code sees it: what it embeds is as it is stored. */
export function storedAction(action: ActionModel, stored: StoredProperties): ActionModel {
  const { input, answer, embeds } = action;
  const body = (type: ObjectType, projection: Projection): ObjectType =>
    projection.length === 0 ? type : storedObject(type, { projection, stored });
  return {
    ...action,
    input: body(input, embeds.input),
    answer: body(answer, embeds.answer),
    embeds: { input: [], answer: [] },
  };
}

interface Stored {
  readonly projection: Projection;
  readonly stored: StoredProperties;
}

function storedObject(type: ObjectType, around: Stored): ObjectType {
  const properties = type.properties.map((property) => ({
    ...property,
    type: storedType(property.type, around),
  }));
  return { ...type, properties };
}

function storedType(type: PropertyType, around: Stored): PropertyType {
  if (type.kind === "object") return storedObject(type, around);
  if (type.kind === "reference") return storedReference(type, around);
  if (type.kind !== "array") return type;
  const items = storedType(type.items, around);
  // An array holds no other arrays.
  return items.kind === "array" ? type : { ...type, items };
}

function storedReference(type: ReferenceType, { projection, stored }: Stored): ReferenceType {
  const { target } = type;
  if (target === null) return type;
  const known = stored(target.storedPlural);
  const embedded = type.embedded.map((property) => {
    const name = storedNameOf(property.path, projection);
    const origin = known.find((one) => one.name === name);
    return { ...property, name, type: renamed(property.type, origin?.type ?? property.type) };
  });
  return { ...type, embedded };
}

/** The stored type, under the name that it has where it is embedded. */
function renamed(shown: PropertyType, stored: PropertyType): PropertyType {
  return "typeName" in shown && "typeName" in stored
    ? { ...stored, typeName: shown.typeName }
    : stored;
}
