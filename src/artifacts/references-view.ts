import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ReferenceType } from "../kinds/reference/reference-type.js";
import type { ResourceModel } from "../model/resource-model.js";
import { isRestricted } from "./access-view.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, importCode, objectCode } from "./layout.js";
import { referencesOf, type ReferenceProperty } from "./nested.js";
import { offers } from "./offers.js";
import { dtoModule, resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/references.ts.hbs` sees. */
export interface ReferencesView extends HeaderView, ResourceNamesView {
  readonly imports: TsCode;
  readonly signature: TsCode;
  readonly references: readonly ReferenceView[];
  /** The type of the resolved references. */
  readonly resolved: TsCode;
}

interface ReferenceView {
  readonly name: TsCode;
  /** `localReference` or `externalReference`. */
  readonly factory: TsCode;
  readonly idProperty: TsCode;
  readonly embedded: TsCode;
  readonly words: TsCode;
  readonly local: boolean;
  readonly store: TsCode;
  /** Not everybody may read what it leads to. */
  readonly guarded: boolean;
  readonly access: TsCode;
  /** The function that makes the reference: of the other entity, or of an identifier alone. */
  readonly toEmbedded: TsCode;
}

/** What a body can refer to, and how it is looked up. */
export function referencesView(resource: ResourceModel): ReferencesView {
  const references = referencesOf(resource);
  const isLocal = references.some(({ type }) => type.target !== null);
  const name = word(resource.name.singular);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: imports(resource, references),
    signature: ts`export function ${name}References(${isLocal ? ts`stores: ServiceStores` : ts``}) {`,
    references: references.map(referenceView),
    resolved: printed(
      genericDoc(ts`ResolvedReferences`, [ts`ReturnType<typeof ${name}References>`]),
      { before: `export type Resolved${resource.name.typeName}References = `, after: ";" },
    ),
  };
}

function referenceView({ property, type }: ReferenceProperty): ReferenceView {
  const { identifier, embedded, target } = type;
  return {
    name: word(property.name),
    factory: target === null ? ts`externalReference` : ts`localReference`,
    idProperty: literal(identifier.name),
    embedded: arrayCode(
      embedded.map(({ name }) => literal(name)),
      { indent: 6, before: "embedded: ", after: "," },
    ),
    words: literal(type.words),
    local: target !== null,
    store: target === null ? ts`` : ts`stores.${key(target.name.plural)}`,
    guarded: target !== null && isRestricted(target),
    access: target === null ? ts`` : ts`${word(target.name.singular)}Access`,
    toEmbedded: toEmbeddedCode(type),
  };
}

/** `(user): TicketRequester => ({ userId: user.userId, firstName: user.firstName })` */
function toEmbeddedCode({ identifier, embedded, target, typeName }: ReferenceType): TsCode {
  const given = target === null ? word(identifier.name) : word(target.name.variable);
  const members = [identifier, ...embedded].map(({ name }) => {
    if (target !== null) return ts`${word(name)}: ${given}.${word(name)}`;
    return name === identifier.name ? word(name) : ts`${word(name)}: null`;
  });
  const head = ts`(${given}): ${word(typeName)} => (`;
  return ts`${head}${objectCode(members, { indent: 6, before: `toEmbedded: ${head}`, after: ")," })})`;
}

function imports(resource: ResourceModel, references: readonly ReferenceProperty[]): TsCode {
  const targets = references.flatMap(({ type }) => type.target ?? []);
  const isExternal = references.length > targets.length;
  return importCode([
    {
      from: "../../kernel/entity/references.js",
      names: [
        ...(isExternal ? ["externalReference"] : []),
        ...(targets.length > 0 ? ["localReference"] : []),
        "type ResolvedReferences",
      ],
    },
    { from: "../../stores.js", names: targets.length > 0 ? ["type ServiceStores"] : [] },
    ...targets.filter(isRestricted).map((target) => {
      const { plural, singular } = target.name;
      return { from: `../${plural}/${plural}.access.js`, names: [`${singular}Access`] };
    }),
    {
      from: dtoModule(resource),
      names: references.map(({ type }) => `type ${type.typeName}`),
    },
  ]);
}

/** Whether requests need to know where the references lead: those with bodies, and those under a parent. */
export function needsReferences(resource: ResourceModel): boolean {
  const { writes, lists } = offers(resource);
  return isReferring(resource) && (writes || (resource.parent !== null && lists));
}

/** Whether a resource refers to others. */
export function isReferring(resource: Pick<ResourceModel, "properties">): boolean {
  return referencesOf(resource).length > 0;
}
