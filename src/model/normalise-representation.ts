import { pluralsOf } from "../naming/plurals.js";
import { representationName, representationSingular } from "../naming/resource-name.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { RepresentationDocument, RepresentationYaml } from "../validate/resource-document.js";
import { normaliseAccess } from "./normalise-authentication.js";
import { normaliseAliases } from "./normalise-aliases.js";
import { normaliseConditions } from "./normalise-conditions.js";
import type { Declared, DeclaredResource, Names } from "./declared.js";
import { NOTHING_EARLIER } from "./earlier-shape.js";
import { normaliseExemptions } from "./normalise-exemptions.js";
import { normaliseOperations, type Inherited } from "./normalise-operations.js";
import type { Shown } from "./older-version.js";
import { renamedProperty } from "./renamed-property.js";

/** REP-7: another name for the entities of `original`: what it shows of them is its own, what holds for them is not. */
export function normaliseRepresentation(
  { source, value, version }: RepresentationDocument,
  { entity, resource: original, owner, projected: olderVersion }: Declared,
  inherited: Inherited,
): DeclaredResource {
  const { singular } = pluralsOf(inherited.service.inflections ?? {});
  const own = representationSingular(value.resource, entity.name, singular);
  const name = representationName(value.resource, own, entity.name);
  const path = `${inherited.basePath}/${version}/${name.plural}`;
  const { authentication } = inherited;
  const around = { owner, parent: original.parent?.access ?? null, original: original.access };
  const names = namesIn(value.properties);
  const { properties, projection, conversion } =
    olderVersion?.({ typeName: name.typeName, names }) ??
    asStored(names, original.properties, name.typeName);
  return {
    source: source.path,
    version,
    name,
    entity: entity.name,
    isRepresentation: true,
    equalities: [],
    conditions: normaliseConditions(value.where ?? {}, original, inherited.service),
    path,
    // OPS-11: they are done to the original.
    actions: [],
    properties,
    projection,
    conversion,
    pairs: [],
    // It names properties of the original, which says what they were.
    earlier: NOTHING_EARLIER,
    commonFilters: original.commonFilters,
    aliases: normaliseAliases(value, { properties, projection, path }, inherited.service),
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
function namesIn(shown: RepresentationYaml["properties"]): Names["names"] {
  const names = Array.isArray(shown)
    ? shown.map((name: string) => [name, name] as const)
    : Object.entries(shown as Readonly<Record<string, string>>);
  return names.map(([property, original]) => ({ property, original }));
}

/** The original's properties under the names that they have here. */
function asStored(
  names: Names["names"],
  original: readonly PropertyModel[],
  typeName: string,
): Omit<Shown, "members"> {
  const properties = names.flatMap(({ property: name, original: stored }) => {
    const property = original.find((candidate) => candidate.name === stored);
    return property === undefined ? [] : [renamedProperty(property, name, typeName)];
  });
  const projection = names.map(({ property, original: storedPath }) => ({
    property,
    storedPath,
    instead: [],
  }));
  return { properties, projection, conversion: null };
}
