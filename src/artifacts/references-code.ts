import { flat } from "../naming/doc.js";
import { joined, ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { takeReferences } from "../kinds/reference/inner-references.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import { storedPathOf } from "../model/projection.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { entityHeader, fileCode } from "./header-view.js";
import { arrayCode, objectCode, typeAliasCode } from "./layout.js";
import { namesView } from "./resource-names.js";
import { ofSchema } from "../naming/imported.js";

/** The file of what a body can refer to, and how it is looked up (REP-4). */
export function referencesCode(entity: EntityModel): TsCode {
  const { article, singular, typeName, words } = namesView(entity.name);
  const stores = isLeadingInside(entity) ? ts`stores: @ServiceStores` : ts``;
  const references = referencesOf(entity).map((one) => referenceCode(one, storeOf(one)));
  const all = ts`${typeName}References`;
  return fileCode(entityHeader(entity), [
    ts`/** Resolves the references of ${article} ${words} (REP-4). */
export function ${singular}References(${stores}) {
  return {
${joined(references, "\n")}
  };
}`,
    ts`/** All references, by property. */
export type ${all} = ReturnType<typeof ${singular}References>;`,
    ts`/** The resolved references of one body. */
${typeAliasCode(ts`Resolved${all}`, ts`@ResolvedReferences<${all}>`)}`,
  ]);
}

function storeOf({ type: { target } }: ReferenceProperty): TsCode {
  return target === null ? ts`` : ts`stores.${key(target.name.plural)}`;
}

/** How what a reference leads to is looked up, in a store: a member of an object. */
export function referenceCode(
  { property, type }: ReferenceProperty,
  store: TsCode,
  toEmbedded = toEmbeddedCode(type),
): TsCode {
  const { identifier, embedded, target, onDelete } = type;
  const names = embedded.map(({ name }) => literal(name));
  const entries = [
    ts`idProperty: ${literal(identifier.name)}`,
    ts`embedded: ${arrayCode(names, { indent: 6, before: "embedded: ", after: "," })}`,
    ts`words: ${literal(type.words)}`,
    ...(target === null ? [] : [ts`store: ${store}`]),
    // CHD-4
    ...(onDelete === "setNull" ? [ts`onDelete: "setNull"`] : []),
    ...(isText(type)
      ? [ts`readIdentifier: ${flat(kindOf(identifier.type).reader(identifier.type))}`]
      : []),
    ts`toEmbedded: ${toEmbedded}`,
  ];
  const made = target === null ? ts`@externalReference` : ts`@localReference`;
  return ts`    ${key(property.path)}: ${made}({
      ${joined(entries, ",\n      ")},
    }),`;
}

/** `(user): TicketRequester => ({ userId: user.userId, firstName: user.firstName })`; `valueOf` is what is shown of the other. */
export function toEmbeddedCode(
  { identifier, embedded, target, typeName }: ReferenceType,
  valueOf = (property: PropertyModel, other: TsCode): TsCode => ts`${other}.${word(property.name)}`,
): TsCode {
  const given = target === null ? word(identifier.name) : word(target.name.variable);
  const members = [identifier, ...embedded].map((property) => {
    const { name } = property;
    if (target !== null) return ts`${word(name)}: ${valueOf(property, given)}`;
    return name === identifier.name ? word(name) : ts`${word(name)}: null`;
  });
  const head = ts`(${given}): ${ofSchema(`type ${typeName}`)} => (`;
  return ts`${head}${objectCode(members, { indent: 6, before: `toEmbedded: ${head}`, after: ")," })})`;
}

/** Only another service's identifiers can be texts of any form. */
function isText({ identifier }: ReferenceType): boolean {
  return identifier.type.kind === "string";
}

/** Says whether one of its references leads to an entity of this service. */
export function isLeadingInside(entity: EntityModel): boolean {
  return referencesOf(entity).some(({ type }) => type.target !== null);
}

/** Says whether a body refers to others. */
export function isReferring({ properties }: ResourceModel): boolean {
  return takeReferences(properties);
}

/** What a resource calls the references of its entity; null where it shows all of them as they are called there. */
export function renamedReferences(resource: ResourceModel): readonly NamedReference[] | null {
  const { entity, projection } = resource;
  const known = referencesOf(entity);
  const all = referencesOf(resource).map(({ property, type }) => {
    const stored = storedPathOf(property.path, projection);
    const names = type.embedded.map(({ name }) => name);
    const embedded = known.find((one) => one.property.path === stored)?.type.embedded ?? [];
    const isSame =
      names.length === embedded.length && embedded.every(({ name }) => names.includes(name));
    return { stored, shown: property.path, embedded: isSame ? null : names };
  });
  const isSame = ({ stored, shown, embedded }: NamedReference): boolean =>
    stored === shown && embedded === null;
  return all.length === known.length && all.every(isSame) ? null : all;
}

/** A reference of an entity, as a resource calls it. */
export interface NamedReference {
  readonly stored: string;
  readonly shown: string;
  /** What is embedded here; null: as much as the entity embeds, under the same names. */
  readonly embedded: readonly string[] | null;
}
