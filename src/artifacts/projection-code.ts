import { ts, word } from "../naming/code.js";
import { arrayDoc, flat, genericDoc, objectDoc, prefixed, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { looksUpReferences } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ProjectedProperty } from "../model/projection.js";
import { conditionsCode } from "./conditions-code.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { objectCode, typeAliasCode } from "./layout.js";
import { renamedReferences, type NamedReference } from "./references-code.js";
import { derivedName } from "../naming/derived-names.js";
import { ofEntity } from "./modules.js";

/** The file that says which objects a representation shows, and what it calls what they hold (REP-7). */
export function projectionCode(resource: ResourceModel): TsCode {
  return fileCode(resourceHeader(resource), [
    ...(isConditional(resource) ? [shownPart(resource)] : []),
    ...(isRenaming(resource) ? [namesPart(resource)] : []),
    ...(isNamingReferences(resource) ? referencesParts(resource) : []),
  ]);
}

function shownPart({ conditions, entity, name }: ResourceModel): TsCode {
  const [original, plural] = [word(entity.name.plural), word(name.plural)];
  const head = ts`export const ${word(name.singular)}Conditions: readonly @Condition[] = `;
  return ts`/** The conditions that make ${original} visible as ${plural}; all others are not found (REP-7). */
${head}${conditionsCode(conditions, { before: head, after: ";" })};`;
}

function namesPart(resource: ResourceModel): TsCode {
  const { entity, name } = resource;
  const head = ts`export const ${word(name.singular)}Names = `;
  const names = renamedOf(resource).map(
    ({ property, storedPath }) => ts`${key(storedPath)}: ${literal(property)}`,
  );
  return ts`/** The names of properties of ${word(entity.name.plural)} in error messages here. */
${head}${objectCode(names, { before: head, after: ";" })};`;
}

/** Which references a body can hold here, and what it calls them. */
function referencesParts(resource: ResourceModel): TsCode[] {
  const { entity, name } = resource;
  const constant = ts`${word(name.singular)}ReferenceNames`;
  const type = ts`${word(name.typeName)}BodyReferences`;
  const [head, typeHead] = [ts`export const ${constant} = `, ts`export type ${type} = `];
  const names = (renamedReferences(resource) ?? []).map(
    (reference) => ts`${key(reference.stored)}: ${referenceNameCode(reference)}`,
  );
  const all = derivedName(entity.name.typeName, "References");
  const picked = genericDoc(ts`Pick`, [
    ofEntity(entity, "references", `type ${all}`),
    ts`keyof typeof ${constant}`,
  ]);
  return [
    ts`/** The references of ${word(entity.name.plural)} that a body can contain here, and their names in it. */
${head}${objectCode(names, { before: head, after: ";" })};`,
    ts`/** The references of the entity in a body, by the names under which they are stored. */
${typeHead}${printed(picked, { before: typeHead, after: ";" })};`,
    ts`/** The resolved references of one body. */
${typeAliasCode(ts`Resolved${type}`, ts`@ResolvedReferences<${type}>`)}`,
  ];
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
  return resource.projection.filter(({ property, storedPath }) => property !== storedPath);
}
