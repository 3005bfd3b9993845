import { pluralsOf } from "../naming/plurals.js";
import { representationName, representationSingular } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { RepresentationDocument, RepresentationYaml } from "../validate/resource-document.js";
import { normaliseAccess } from "./normalise-authentication.js";
import { normaliseAliases } from "./normalise-aliases.js";
import { normaliseConditions } from "./normalise-conditions.js";
import type { Declared, DeclaredResource } from "./declared.js";
import { normaliseExemptions } from "./normalise-exemptions.js";
import { normaliseOperations, type Inherited } from "./normalise-operations.js";
import { identity, type Projection } from "./projection.js";
import { renamedProperty } from "./renamed-property.js";

/** REP-7: another name for the entities of `original`: what it shows of them is its own, what holds for them is not. */
export function normaliseRepresentation(
  { source, value, version }: RepresentationDocument,
  { entity, resource: original }: Declared,
  inherited: Inherited,
): DeclaredResource {
  const { singular } = pluralsOf(inherited.service.inflections ?? {});
  const own = representationSingular(value.resource, entity.name, singular);
  const name = representationName(value.resource, own, entity.name);
  const path = `${inherited.basePath}/${version}/${name.plural}`;
  const { authentication } = inherited;
  const around = { parent: original.parent?.access ?? null, original: original.access };
  const projection = projected(value.properties);
  const properties = shownProperties(projection, original.properties, name.typeName);
  return {
    source: source.path,
    version,
    name,
    entity: entity.name,
    isRepresentation: true,
    conditions: normaliseConditions(
      value.where ?? {},
      original.properties,
      identity(original.properties),
    ),
    path,
    properties,
    projection,
    commonFilters: original.commonFilters,
    aliases: normaliseAliases(value.aliases ?? {}, { properties, projection, path }),
    exemptions: normaliseExemptions(value, {}),
    // CHD-1: what is created under a parent is not created here.
    parent: null,
    listedUnder: [],
    ...normaliseOperations(value, inherited, normaliseAccess(value.access, authentication, around)),
    // What must not be changed unseen under one name must not be under the other either, unless it says so.
    isMatchRequired:
      value.ifMatch === undefined ? original.isMatchRequired : value.ifMatch === "required",
  };
}

/** In the order of the file. */
function projected(shown: RepresentationYaml["properties"]): Projection {
  const names = Array.isArray(shown)
    ? shown.map((name: string) => [name, name] as const)
    : Object.entries(shown as Readonly<Record<string, string>>);
  return names.map(([property, storedPath]) => ({ property, storedPath }));
}

/** The original's properties under the names that they have here. */
function shownProperties(
  projection: Projection,
  original: readonly PropertyModel[],
  typeName: string,
): PropertyModel[] {
  return projection.flatMap(({ property: name, storedPath }) => {
    const property = original.find((candidate) => candidate.name === storedPath);
    return property === undefined ? [] : [renamedProperty(property, name, typeName)];
  });
}
