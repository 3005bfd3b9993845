import { flat } from "../naming/doc.js";
import { ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import { takeReferences } from "../kinds/reference/inner-references.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import { storedPathOf } from "../model/projection.js";
import { referencesOf, type ReferenceProperty } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode, typeAliasCode } from "./layout.js";
import { namesView, type NamesView } from "./resource-names.js";
import { ofSchema } from "../naming/imported.js";

/** What `entity/references.ts.hbs` sees. */
export interface ReferencesView extends HeaderView, NamesView {
  readonly signature: TsCode;
  readonly references: readonly ReferenceView[];
  /** The type of the resolved references. */
  readonly resolved: TsCode;
}

/** What `partials/reference.hbs` sees. */
export interface ReferenceView {
  readonly name: TsCode;
  /** `localReference` or `externalReference`. */
  readonly factory: TsCode;
  readonly idProperty: TsCode;
  readonly embedded: TsCode;
  readonly words: TsCode;
  readonly local: boolean;
  readonly store: TsCode;
  /** CHD-4 */
  readonly letsGo: boolean;
  /** How an identifier that is not a UUID is read; "" for one that is. */
  readonly reader: TsCode;
  /** The function that makes the reference: of the other entity, or of an identifier alone. */
  readonly toEmbedded: TsCode;
}

/** What a body can refer to, and how it is looked up. */
export function referencesView(entity: EntityModel): ReferencesView {
  const references = referencesOf(entity);
  const stores = isLeadingInside(entity) ? ts`stores: @ServiceStores` : ts``;
  const { singular, typeName } = entity.name;
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    signature: ts`export function ${word(singular)}References(${stores}) {`,
    references: references.map((one) => referenceView(one, storeOf(one))),
    resolved: typeAliasCode(
      ts`Resolved${word(typeName)}References`,
      ts`@ResolvedReferences<${word(typeName)}References>`,
    ),
  };
}

function storeOf({ type: { target } }: ReferenceProperty): TsCode {
  return target === null ? ts`` : ts`stores.${key(target.name.plural)}`;
}

/** How what a reference leads to is looked up, in a store. */
export function referenceView(
  { property, type }: ReferenceProperty,
  store: TsCode,
  toEmbedded = toEmbeddedCode(type),
): ReferenceView {
  const { identifier, embedded, target, onDelete } = type;
  return {
    name: key(property.path),
    factory: target === null ? ts`@externalReference` : ts`@localReference`,
    idProperty: literal(identifier.name),
    embedded: arrayCode(
      embedded.map(({ name }) => literal(name)),
      { indent: 6, before: "embedded: ", after: "," },
    ),
    words: literal(type.words),
    local: target !== null,
    store,
    letsGo: onDelete === "setNull",
    reader: isText(type) ? flat(kindOf(identifier.type).reader(identifier.type)) : ts``,
    toEmbedded,
  };
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
