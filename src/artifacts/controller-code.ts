import { ts, word } from "../naming/code.js";
import { arrayDoc, callDoc, objectDoc, prefixed, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import { isMadeByPairs } from "../model/conversion-model.js";
import { storedPathOf } from "../model/projection.js";
import { looksUpReferences, referencesOf } from "../model/references.js";
import type { ResourceModel } from "../model/resource-model.js";
import { actionReferencesCode } from "./action-code.js";
import { isConditional, isNamingReferences, isRenaming } from "./projection-code.js";
import { shapeName, showsRowAlone } from "./serializer-view.js";
import { stateConversion } from "./shaped.js";
import { derivedName } from "../naming/derived-names.js";
import { accessOf, hooksOf, ofEntity, ofResource } from "./modules.js";

/** `new TicketController(new EntityRepository(entities.tickets))` */
export function controllerDoc(resource: ResourceModel): Doc {
  const given = [isActing(resource) ? ts`repository` : repositoryDoc(resource)];
  if (looksUpReferences(resource)) given.push(referencesDoc(resource));
  return callDoc(ts`new ${word(resource.name.typeName)}Controller`, given);
}

/** OPS-11: `new OrderActionController(repository, orderHooks.actions)` */
export function actionControllerDoc(resource: ResourceModel): Doc {
  const { name, entity } = resource;
  return callDoc(
    ts`new ${ofResource(resource, "actions", derivedName(name.typeName, "ActionController"))}`,
    [ts`repository`, ts`${hooksOf(entity.name)}.actions`, ...actionReferencesCode(resource)],
  );
}

/** `new EntityRepository(entities.tickets)`; where there are actions, of one that carries them out as well. */
export function repositoryDoc(resource: ResourceModel): Doc {
  const kind = isActing(resource) ? ts`new @ActingRepository` : ts`new @EntityRepository`;
  const given = [partsCode(resource)];
  const rules = rulesOf(resource);
  return callDoc(kind, rules.length === 0 ? given : [...given, objectDoc(rules)]);
}

/** `entities.tickets` */
function partsCode({ entity }: ResourceModel): TsCode {
  return ts`entities.${key(entity.name.plural)}`;
}

/** AUT-2, REP-7, OPS-10 */
function rulesOf(resource: ResourceModel): Doc[] {
  const { name, version } = resource;
  const projected = (ending: string): TsCode =>
    ofResource(resource, "projection", name.singular + ending);
  return [
    ...stateRule(resource),
    ...(isRestricted(resource) ? [ts`access: ${accessOf(name, version)}`] : []),
    ...childRights(resource),
    ...(isConditional(resource)
      ? [ts`where: (asking) => @filtersOf(${projected("Conditions")}, asking)`]
      : []),
    ...(isRenaming(resource) ? [ts`names: ${projected("Names")}`] : []),
    ...(resource.isMatchRequired ? [ts`ifMatch: "required"`] : []),
    ...(showsRowAlone(resource)
      ? [ts`shape: ${ofResource(resource, "serializer", shapeName(resource))}`]
      : []),
    ...convertsRule(resource),
  ];
}

/** `converts: ["address", "lines"], version: "v1"` (VER-2) */
function convertsRule({ conversion, entity, version }: ResourceModel): Doc[] {
  if (conversion === null) return [];
  const names = entity.properties.map(({ name }) => name);
  const converted = names.filter((name) => isMadeByPairs(conversion, name));
  if (converted.length === 0) return [];
  const converts = prefixed(ts`converts: `, arrayDoc(converted.map(literal)));
  return [converts, ts`version: ${literal(version)}`];
}

/** `states: shownAs(orderStates, statusConversion)`, where some are shown as others (VER-2). */
function stateRule(resource: ResourceModel): Doc[] {
  const states = ofEntity(resource.entity, "states", `${resource.entity.name.singular}States`);
  const conversion = stateConversion(resource);
  if (conversion === null) return [];
  return [
    prefixed(
      ts`states: `,
      callDoc(ts`@shownAs`, [states, ofResource(resource, "conversions", conversion)]),
    ),
  ];
}

/** `children: guardChildren({ boxes: boxAccess })` (AUT-2) */
export function childRights({ guardedChildren }: Pick<ResourceModel, "guardedChildren">): Doc[] {
  const entries = guardedChildren.map(
    ({ plural, singular, servedPlural, servedVersion }) =>
      ts`${key(plural)}: ${accessOf({ singular, plural: servedPlural }, servedVersion)}`,
  );
  if (entries.length === 0) return [];
  return [prefixed(ts`children: `, callDoc(ts`@guardChildren`, [objectDoc(entries)]))];
}

/** `guardedBy(entities.tickets.references, { requester: userAccess })`: the entity's, as its resource knows them. */
function referencesDoc(resource: ResourceModel): Doc {
  const { name, version } = resource;
  const all = ts`${partsCode(resource)}.references`;
  const rules = guardedReferences(resource).map(
    ({ stored, target }) => ts`${key(stored)}: ${accessOf(target, version)}`,
  );
  const guarded = rules.length === 0 ? all : callDoc(ts`@guardedBy`, [all, objectDoc(rules)]);
  if (!isNamingReferences(resource)) return guarded;
  return callDoc(ts`@renamedBy`, [
    guarded,
    ofResource(resource, "projection", `${name.singular}ReferenceNames`),
  ]);
}

/** A reference to what not everybody may read, and where it is stored. */
export interface GuardedReference {
  readonly stored: string;
  readonly target: ResourceName;
}

/** AUT-2: those of a resource. */
export function guardedReferences(resource: ResourceModel): readonly GuardedReference[] {
  return referencesOf(resource).flatMap(({ property, type: { target } }) =>
    target !== null && isRestricted(target)
      ? [{ stored: storedPathOf(property.path, resource.projection), target: target.name }]
      : [],
  );
}

/** OPS-11 */
export function isActing({ actions }: ResourceModel): boolean {
  return actions.length > 0;
}
