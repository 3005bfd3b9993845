import { ts, word } from "../naming/code.js";
import { arrayDoc, flat, genericDoc, objectDoc, prefixed, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { looksUpReferences } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { objectIn, type ConversionModel } from "../model/conversion-model.js";
import type { ProjectedProperty } from "../model/projection.js";
import { conditionsCode } from "./conditions-code.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { objectCode, typeAliasCode } from "./layout.js";
import { renamedReferences, type NamedReference } from "./references-view.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";
import { derivedName } from "../naming/derived-names.js";
import { ofEntity } from "./modules.js";

/** What `resource/projection.ts.hbs` sees. */
export interface ProjectionView extends HeaderView, ResourceNamesView {
  /** The plural of what is represented. */
  readonly original: TsCode;
  readonly isConditional: boolean;
  readonly conditions: TsCode;
  readonly isRenaming: boolean;
  readonly names: TsCode;
  readonly isNamingReferences: boolean;
  readonly referenceNames: TsCode;
  readonly referencesType: TsCode;
  readonly resolvedType: TsCode;
}

/** Which objects a representation shows (REP-7). */
export function projectionView(resource: ResourceModel): ProjectionView {
  const { name, entity } = resource;
  const before = `export const ${name.singular}Conditions: readonly Condition[] = `;
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    original: word(entity.name.plural),
    isConditional: isConditional(resource),
    conditions: conditionsCode(resource.conditions, { before, after: ";" }),
    isRenaming: isRenaming(resource),
    names: objectCode(
      renamedOf(resource).map(
        ({ property, storedPath }) => ts`${key(storedPath)}: ${literal(property)}`,
      ),
      { before: `export const ${name.singular}Names = `, after: ";" },
    ),
    ...referencesPart(resource),
  };
}

/** Which references a body can hold here, and what it calls them. */
function referencesPart(resource: ResourceModel) {
  const before = `export const ${resource.name.singular}ReferenceNames = `;
  const shown = renamedReferences(resource) ?? [];
  return {
    isNamingReferences: isNamingReferences(resource),
    referencesType: printed(
      genericDoc(ts`Pick`, [
        ofEntity(
          resource.entity,
          "references",
          `type ${derivedName(resource.entity.name.typeName, "References")}`,
        ),
        ts`keyof typeof ${word(resource.name.singular)}ReferenceNames`,
      ]),
      { before: `export type ${resource.name.typeName}BodyReferences = `, after: ";" },
    ),
    resolvedType: typeAliasCode(
      ts`Resolved${word(resource.name.typeName)}BodyReferences`,
      ts`@ResolvedReferences<${word(resource.name.typeName)}BodyReferences>`,
    ),
    referenceNames: objectCode(
      shown.map((reference) => ts`${key(reference.stored)}: ${referenceNameCode(reference)}`),
      { before, after: ";" },
    ),
  };
}

/** `"buyer"`, or `{ name: "buyer", embedded: ["phone"] }` (VER-2). */
function referenceNameCode({ shown, embedded }: NamedReference): TsCode {
  if (embedded === null) return literal(shown);
  const names = arrayDoc(embedded.map(literal));
  return flat(objectDoc([ts`name: ${literal(shown)}`, prefixed(ts`embedded: `, names)]));
}

/** Says whether a resource differs from its entity in more than what its properties are called. */
export function hasProjectionFile(resource: ResourceModel): boolean {
  return isConditional(resource) || isRenaming(resource) || isNamingReferences(resource);
}

/** Says whether bodies hold other references than those of the entity, or call them otherwise. */
export function isNamingReferences(resource: ResourceModel): boolean {
  return looksUpReferences(resource) && renamedReferences(resource) !== null;
}

/** Says whether a resource shows only some of the objects of another. */
export function isConditional({ conditions }: ResourceModel): boolean {
  return conditions.length > 0;
}

/** Says whether a property of the original has another name here. */
export function isRenaming(resource: ResourceModel): boolean {
  return renamedOf(resource).length > 0;
}

type Named = Pick<ProjectedProperty, "property" | "storedPath">;

/** What clients call what is stored under another name. */
function renamedOf(resource: ResourceModel): Named[] {
  const { projection, conversion } = resource;
  const converted = conversion === null ? [] : madeNames(conversion);
  const renamed = projection.filter(({ property, storedPath }) => property !== storedPath);
  return [...renamed, ...converted];
}

/** What own code makes has the name of what that is made of, at any depth. */
function madeNames({ pairs, members }: ConversionModel): Named[] {
  const own = pairs.flatMap(({ name, inNewer }) => {
    const property = members.find(({ pair }) => pair === name)?.property.path ?? "";
    return inNewer.map(({ origin }) => ({ property, storedPath: origin.path }));
  });
  const inner = members.flatMap(({ pair, value }) => {
    const object = pair === null ? objectIn(value) : null;
    return object === null ? [] : madeNames(object);
  });
  return [...own, ...inner];
}
