import { ts, word } from "../naming/code.js";
import { arrayDoc, callDoc, objectDoc, prefixed, printed, type Doc } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { ResourceName } from "../naming/resource-name.js";
import { isRestricted } from "../kinds/access-model.js";
import { storedPathOf } from "../model/projection.js";
import { isAnyFilledIn } from "../model/own-pairs.js";
import { looksUpReferences, pathsOf, referencesOf } from "../model/references.js";
import type { PathModel, ResourceModel } from "../model/resource-model.js";
import { actionReferencesCode, rulesName } from "./action-code.js";
import { isConditional, isNamingReferences, isRenaming } from "./projection-code.js";
import { shapeName, showsRowAlone } from "./serializer-view.js";
import { stateConversion } from "./shaped.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { operationsOf } from "./operations.js";
import { resourceNames } from "./resource-names.js";
import { derivedName } from "../naming/derived-names.js";
import { accessOf, hooksOf, ofEntity, ofResource, writerOf, type ResourcePart } from "./modules.js";

/** What `resource/controller.ts.hbs` sees. */
export interface ControllerView extends HeaderView {
  readonly plural: TsCode;
  readonly singular: TsCode;
  readonly repository: TsCode;
  readonly isActing: boolean;
  readonly actions: TsCode;
  /** What the resource offers: each member of the second argument of `routesOf`. */
  readonly entries: readonly { readonly entry: TsCode }[];
}

/** What a resource offers to clients, and by which rules. */
export function controllerView(resource: ResourceModel): ControllerView {
  const { plural, singular } = resourceNames(resource);
  const indented = (doc: Doc, before: string): TsCode =>
    printed(doc, { indent: 2, before, after: ";" });
  return {
    ...resourceHeader(resource),
    plural,
    singular,
    repository: indented(repositoryDoc(resource), "const repository = "),
    isActing: isActing(resource),
    actions: indented(actionControllerDoc(resource), "const actions = "),
    entries: entryDocs(resource).map((entry) => ({
      entry: printed(entry, { indent: 4, after: "," }),
    })),
  };
}

function entryDocs(resource: ResourceModel): Doc[] {
  const { aliases, entity, name, operations, parent, path, pretty } = resource;
  const { lists, writes } = operationsOf(resource);
  const own = (part: ResourcePart, ending: string): TsCode =>
    ofResource(resource, part, name.singular + ending);
  const offered = OPERATIONS.filter((operation) => operations.includes(operation)).map(literal);
  const parents = pathsOf(resource).map((one) => parentDoc(one, resource));
  const isAsking = parent !== null && asksForParent(resource);
  return [
    ts`path: ${literal(path)}`,
    ts`entityType: ${literal(entity.name.typeName)}`,
    prefixed(ts`operations: `, arrayDoc(offered)),
    ...(writes ? [ts`bodies: ${own("validator", "Bodies")}`] : []),
    ...(lists ? [ts`collection: ${own("validator", "Collection")}`] : []),
    ...(aliases.length > 0 ? [ts`aliases: ${own("aliases", "Aliases")}`] : []),
    ts`write: ${writerOf(resource)}`,
    ...(pretty ? [] : [ts`pretty: false`]),
    ...(isRestricted(resource) ? [ts`access: ${accessOf(name, resource.version)}`] : []),
    ...(looksUpReferences(resource) ? [prefixed(ts`references: `, referencesDoc(resource))] : []),
    ...(parents.length === 0 ? [] : [prefixed(ts`parents: `, arrayDoc(parents))]),
    ...(parent !== null && operations.includes("create") ? [ts`createdAtRoot: false`] : []),
    ...(isAsking ? [ts`allowedBy: ${literal(parent.property)}`] : []),
    ...(isActing(resource) ? [prefixed(ts`actions: `, actionsDoc(resource))] : []),
  ];
}

const OPERATIONS = ["list", "create", "read", "replace", "update", "delete"] as const;

/** `{ reference: "order", path: "/api/v1/orders", entityType: "Order" }` (CHD-1) */
function parentDoc({ name, path, property }: PathModel, { projection }: ResourceModel): Doc {
  return objectDoc([
    ts`reference: ${literal(storedPathOf(property, projection))}`,
    ts`path: ${literal(path)}`,
    ts`entityType: ${literal(name.typeName)}`,
  ]);
}

/** `entityAction(["/api/v1/orders", "Order", "/cancel"], CANCEL_ORDER, { ... })` for each. */
function actionsDoc(resource: ResourceModel): Doc {
  const { path, entity } = resource;
  const routes = resource.actions.map((action) => {
    const isOnEntity = action.on === "entity";
    const places = [path, entity.name.typeName, `/${action.name}`].map(literal);
    return callDoc(isOnEntity ? ts`@entityAction` : ts`@collectionAction`, [
      isOnEntity ? arrayDoc(places) : literal(action.path),
      ofResource(resource, "actions", rulesName(resource, action)),
      objectDoc([ts`POST: (call) => actions.${word(action.name)}(call)`], true),
    ]);
  });
  return arrayDoc(routes, true);
}

/** AUT-2: who may create it depends on the parent. */
export function asksForParent({ access: { create } }: ResourceModel): boolean {
  return create.some((grant) => grant.startsWith("parent:")) && !create.includes("anyone");
}

/** OPS-11: `new OrderActionController(repository, orderHooks.actions)` */
function actionControllerDoc(resource: ResourceModel): Doc {
  const { name, entity } = resource;
  return callDoc(
    ts`new ${ofResource(resource, "actions", derivedName(name.typeName, "ActionController"))}`,
    [ts`repository`, ts`${hooksOf(entity.name)}.actions`, ...actionReferencesCode(resource)],
  );
}

/** `new EntityRepository(entities.tickets)`; where there are actions, of one that carries them out as well. */
function repositoryDoc(resource: ResourceModel): Doc {
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
    ...versionRule(resource),
  ];
}

/** `version: "v1"`, where writes have to fill what only later versions show (VER-2). */
function versionRule({ entity, version }: ResourceModel): Doc[] {
  return isAnyFilledIn(entity.properties, version) ? [ts`version: ${literal(version)}`] : [];
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
function isActing({ actions }: ResourceModel): boolean {
  return actions.length > 0;
}
