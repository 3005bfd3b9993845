import { pairExport } from "../model/own-pairs.js";
import { joined, ts, word } from "../naming/code.js";
import { printed } from "../naming/doc.js";
import { literal, type TsCode } from "../naming/encoders.js";
import { isRestricted } from "../kinds/access-model.js";
import type { ActionModel } from "../model/action-model.js";
import type { AliasModel } from "../model/alias-model.js";
import { pairsIn } from "../model/conversion-model.js";
import { storedPathOf } from "../model/projection.js";
import { pathsOf } from "../model/references.js";
import type { PathModel, ResourceModel } from "../model/resource-model.js";
import { rulesName } from "./action-code.js";
import { actionControllerDoc, controllerDoc, isActing, repositoryDoc } from "./controller-code.js";
import { callCode } from "./layout.js";
import { operationsOf } from "./operations.js";
import { pairFile } from "./shaped.js";
import { imported } from "../naming/imported.js";
import { accessOf, ofResource } from "./modules.js";

/** The routes of a resource, in the file of what answers them. */
export interface RoutesView {
  /** What both controllers answer from, where there are actions (OPS-11). */
  readonly repository: TsCode;
  /** The controller, with all that it answers from. */
  readonly controller: TsCode;
  readonly routes: readonly RouteView[];
  readonly isActing: boolean;
  readonly actionController: TsCode;
  /** What asks for the functions of the service's own code, without which it does not start (VER-2). */
  readonly pairs: readonly { readonly required: TsCode }[];
}

/** A path and the handler of each of its methods. */
interface RouteView {
  /** `collection("/api/v1/tickets", {` */
  readonly head: TsCode;
  readonly handlers: readonly { readonly method: TsCode; readonly handler: TsCode }[];
}

/** Which method of which path a controller answers. */
export function routesView(resource: ResourceModel): RoutesView {
  const before = `const ${resource.name.collection} = `;
  return {
    repository: printed(repositoryDoc(resource), {
      indent: 2,
      before: "const repository = ",
      after: ";",
    }),
    controller: printed(controllerDoc(resource), { indent: 2, before, after: ";" }),
    routes: [
      ...routeViews(resource),
      ...resource.actions.map((action) => actionView(resource, action)),
    ],
    isActing: isActing(resource),
    actionController: printed(actionControllerDoc(resource), {
      indent: 2,
      before: `const ${resource.name.singular}Actions = `,
      after: ";",
    }),
    pairs: pairsIn(resource.conversion).map((pair) => {
      const file = pairFile(resource, pair);
      const given = [imported(file, pairExport(resource, pair)), literal(file)];
      const call = callCode(ts`@requirePair`, given, { indent: 2, after: ";" });
      return { required: ts`${call};` };
    }),
  };
}

/** `entityAction(["/api/v1/orders", "Order", "/cancel"], CANCEL_ORDER, {` */
function actionView(resource: ResourceModel, action: ActionModel): RouteView {
  const { path, entity, name } = resource;
  const isOnEntity = action.on === "entity";
  const places = [path, entity.name.typeName, `/${action.name}`].map(literal);
  const place = isOnEntity ? ts`[${joined(places, ", ")}]` : literal(action.path);
  const made = isOnEntity ? ts`@entityAction` : ts`@collectionAction`;
  const handler = ts`(call) => ${word(name.singular)}Actions.${word(action.name)}(call)`;
  return {
    head: ts`${made}(${place}, ${ofResource(resource, "actions", rulesName(resource, action))}, {`,
    handlers: [{ method: ts`POST`, handler }],
  };
}

/** A method, the controller's member that answers it, and whether the resource offers it. */
type Offered = readonly [method: TsCode, verb: TsCode, isOffered: boolean];

function routeViews(resource: ResourceModel): RouteView[] {
  const { path } = resource;
  const { creates, lists, reads, replaces, updates, deletes } = operationsOf(resource);
  const { parent } = resource;
  const listing: Offered = [ts`GET`, ts`list`, lists];
  const creating: Offered = [ts`POST`, ts`create`, creates];
  const offered = [listing, creating];
  const collection = routeView(
    resource,
    headCode(resource, "collection", [literal(path)]),
    // CHD-1: a child is created under its parent.
    parent === null ? [listing, creating] : [listing],
  );
  const entity = routeView(
    resource,
    headCode(resource, "entity", [literal(path), literal(resource.entity.name.typeName)]),
    [
      [ts`GET`, ts`read`, reads],
      [ts`PUT`, ts`replace`, replaces],
      [ts`PATCH`, ts`update`, updates],
      [ts`DELETE`, ts`delete`, deletes],
    ],
  );
  // Also where nothing is offered: a method of a known path is 405, not 404 (OPS-9).
  return [
    collection,
    ...resource.aliases.map((alias) => aliasView(resource, alias)),
    entity,
    ...pathsOf(resource).flatMap((above) => childViews(resource, above, offered)),
  ];
}

/** What stands under each entity of the parent, or of what a reference leads to: the list of it, and its aliases (CHD-1, ALI-1). */
function childViews(
  resource: ResourceModel,
  parent: PathModel,
  offered: readonly Offered[],
): RouteView[] {
  const head = (rest: string): TsCode => {
    const place = [parent.path, parent.name.typeName, rest].map(literal);
    return headCode(resource, "children", [ts`[${joined(place, ", ")}]`]);
  };
  const under = `/${resource.name.plural}`;
  const name = literal(storedPathOf(parent.property, resource.projection));
  return [
    routeView(resource, head(under), offered, name),
    ...resource.aliases.map((alias) => ({
      ...aliasView(resource, alias, name),
      head: ts`${head(`${under}/${alias.name}`)}, {`,
    })),
  ];
}

/** An alias is a list of its own (ALI-1). */
function aliasView(
  resource: ResourceModel,
  alias: AliasModel,
  under: TsCode = ts`null`,
): RouteView {
  const { name } = resource;
  const aliases = ofResource(resource, "aliases", `${name.singular}Aliases`);
  const own = ts`${aliases}.${word(alias.name)}`;
  const given = pathsOf(resource).length === 0 ? own : ts`${under}, ${own}`;
  const handler = ts`(call) => ${word(name.collection)}.list(call, ${given})`;
  return {
    head: ts`${headCode(resource, "collection", [literal(alias.path)])}, {`,
    handlers: [{ method: ts`GET`, handler }],
  };
}

/** `entity("/api/v1/tickets", "Ticket"`, with the rules of access where there are some (AUT-2). */
function headCode(resource: ResourceModel, kind: RouteKind, named: readonly TsCode[]): TsCode {
  const code = joined(named, ", ");
  if (!isRestricted(resource)) return ts`@${word(kind)}(${code}`;
  return ts`@${word(guarded(kind))}(${code}, ${accessOf(resource.name, resource.version)}`;
}

/** The functions of runtime/http/http.ts that make routes. */
type RouteKind = "collection" | "entity" | "children";

function guarded(kind: RouteKind): string {
  return `${kind}For`;
}

function routeView(
  { name }: ResourceModel,
  path: TsCode,
  offered: readonly Offered[],
  under: TsCode | null = null,
): RouteView {
  const controller = word(name.collection);
  const given = under === null ? ts`call` : ts`call, ${under}`;
  const handlers = offered
    .filter(([, , isOffered]) => isOffered)
    .map(([method, verb]) => ({ method, handler: ts`(call) => ${controller}.${verb}(${given})` }));
  return { head: ts`${path}, {${handlers.length === 0 ? ts`}),` : ts``}`, handlers };
}
