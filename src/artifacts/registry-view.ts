import { joined, ts, word } from "../naming/code.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { upperFirst } from "../naming/resource-name.js";
import type { AliasModel } from "../model/alias-model.js";
import type { ParentModel, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { isRestricted } from "./access-view.js";
import { serviceHeader, type HeaderView } from "./header-view.js";
import { WIDTH } from "../naming/doc.js";
import { callCode, importCode, objectCode, type Import } from "./layout.js";
import { embedsOthers, referencesOf } from "./nested.js";
import { offers } from "./offers.js";
import { needsReferences } from "./references-view.js";
import { isConditional, isRenaming } from "./representation-view.js";

/** What `service/registry.ts.hbs` sees. */
export interface RegistryView extends HeaderView {
  readonly imports: TsCode;
  readonly resources: readonly { readonly collection: TsCode; readonly controller: TsCode }[];
  readonly routes: readonly RouteView[];
}

/** A path and the handler of each of its methods. */
interface RouteView {
  /** `collection("/api/v1/tickets", {` */
  readonly head: TsCode;
  readonly handlers: readonly { readonly method: TsCode; readonly handler: TsCode }[];
}

/** Which controller answers which method of which path. */
export function registryView({ versions }: ServiceModel): RegistryView {
  const resources = versions.flatMap((version) => version.resources);
  return {
    ...serviceHeader(),
    imports: importCode(imports(resources)),
    resources: resources.map((resource) => ({
      collection: word(resource.name.collection),
      controller: controllerCode(resource),
    })),
    routes: resources.flatMap(routeViews),
  };
}

/** A method, the controller's member that answers it, and whether the resource offers it. */
type Offered = readonly [method: TsCode, verb: TsCode, isOffered: boolean];

function routeViews(resource: ResourceModel): RouteView[] {
  const { path } = resource;
  const { creates, lists, reads, replaces, updates, deletes } = offers(resource);
  const { parent } = resource;
  const listing: Offered = [ts`GET`, ts`list`, lists];
  const creating: Offered = [ts`POST`, ts`create`, creates];
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
    ...(parent === null ? [] : childViews(resource, parent, [listing, creating])),
  ];
}

/** What stands under each entity of the parent: the children of it, and their aliases (CHD-1, ALI-1). */
function childViews(
  resource: ResourceModel,
  parent: ParentModel,
  offered: readonly Offered[],
): RouteView[] {
  const head = (rest: string): TsCode => {
    const place = [parent.path, parent.name.typeName, rest].map(literal);
    return headCode(resource, "children", [ts`[${joined(place, ", ")}]`]);
  };
  const under = `/${resource.name.plural}`;
  return [
    routeView(resource, head(under), offered),
    ...resource.aliases.map((alias) => ({
      ...aliasView(resource, alias),
      head: ts`${head(`${under}/${alias.name}`)}, {`,
    })),
  ];
}

/** An alias is a list of its own (ALI-1). */
function aliasView(resource: ResourceModel, alias: AliasModel): RouteView {
  const { name } = resource;
  const given = ts`${word(name.singular)}Aliases.${word(alias.name)}`;
  const handler = ts`(call) => ${word(name.collection)}.list(call, ${given})`;
  return {
    head: ts`${headCode(resource, "collection", [literal(alias.path)])}, {`,
    handlers: [{ method: ts`GET`, handler }],
  };
}

/** `entity("/api/v1/tickets", "Ticket"`, with the rules of access where there are some (AUT-2). */
function headCode(resource: ResourceModel, kind: RouteKind, named: readonly TsCode[]): TsCode {
  const code = joined(named, ", ");
  if (!isRestricted(resource)) return ts`${word(kind)}(${code}`;
  return ts`${word(guarded(kind))}(${code}, ${word(resource.name.singular)}Access`;
}

/** The functions of kernel/http/http.ts that make routes. */
type RouteKind = "collection" | "entity" | "children";

function guarded(kind: RouteKind): string {
  return `guarded${upperFirst(kind)}`;
}

function routeView({ name }: ResourceModel, path: TsCode, offered: readonly Offered[]): RouteView {
  const controller = word(name.collection);
  const handlers = offered
    .filter(([, , isOffered]) => isOffered)
    .map(([method, verb]) => ({ method, handler: ts`(call) => ${controller}.${verb}(call)` }));
  return { head: ts`${path}, {${handlers.length === 0 ? ts`}),` : ts``}`, handlers };
}

/** `new TicketController(new EntityRepository(stores.tickets, ticketHooks, stores))` */
function controllerCode(resource: ResourceModel): TsCode {
  const { name } = resource;
  const given = [repositoryCode(resource)];
  if (isLookingUp(resource))
    given.push(ts`${word(name.singular)}References(${storesOf(resource)})`);
  const around = { indent: 4, before: `const ${name.collection} = `, after: ";" };
  return callCode(ts`new ${word(name.typeName)}Controller`, given, around);
}

/** Its bodies refer to others (REP-4). */
function isLookingUp(resource: ResourceModel): boolean {
  return needsReferences(resource);
}

function storesOf(resource: ResourceModel): TsCode {
  return referencesOf(resource).some(({ type }) => type.target !== null) ? ts`stores` : ts``;
}

function repositoryCode(resource: ResourceModel): TsCode {
  const entity = resource.entity.name;
  const repository = ts`new EntityRepository`;
  const given = [ts`stores.${key(entity.plural)}`, ts`${word(entity.singular)}Hooks`, ts`stores`];
  const rules = rulesOf(resource);
  const around = { indent: 6, after: "," };
  if (rules.length === 0) return callCode(repository, given, around);
  const flat = callCode(repository, [...given, objectCode(rules, { indent: 8 })], around);
  const head = ts`${repository}(${joined(given, ", ")}, {`;
  // prettier breaks the object alone where what stands before it fits.
  if (!flat.includes("\n") || around.indent + head.length > WIDTH) return flat;
  const broken = objectCode(rules, { indent: around.indent, expanded: true });
  return ts`${repository}(${joined([...given, broken], ", ")})`;
}

/** STA, AUT-2, REP-7, OPS-10 */
function rulesOf(resource: ResourceModel): TsCode[] {
  const { name, entity } = resource;
  return [
    ...(entity.states === null ? [] : [ts`states: ${word(entity.name.singular)}States`]),
    ...(isRestricted(resource) ? [ts`access: ${word(name.singular)}Access`] : []),
    ...guardedCode(resource),
    ...(isConditional(resource) ? [ts`where: ${word(name.singular)}Conditions`] : []),
    ...(isRenaming(resource) ? [ts`names: ${word(name.singular)}Names`] : []),
    ...(resource.isMatchRequired ? [ts`ifMatch: "required"`] : []),
    ...(embedsOthers(resource) ? [ts`embeds: true`] : []),
  ];
}

/** `children: { boxes: boxAccess }` (AUT-2) */
function guardedCode(resource: ResourceModel): TsCode[] {
  const entries = resource.guardedChildren.map(
    ({ plural, singular }) => ts`${key(plural)}: ${word(singular)}Access`,
  );
  return entries.length === 0 ? [] : [ts`children: ${objectCode(entries, { indent: 8 })}`];
}

/** What makes routes: the guarded ones and the open ones, where there are some. */
function httpNames(resources: readonly ResourceModel[]): string[] {
  return resources.flatMap((resource) => {
    const kinds: RouteKind[] = ["collection", "entity"];
    if (resource.parent !== null) kinds.push("children");
    return isRestricted(resource) ? kinds.map(guarded) : kinds;
  });
}

function imports(resources: readonly ResourceModel[]): Import[] {
  return [
    ...resources
      .filter(({ isRepresentation }) => !isRepresentation)
      .map(({ name }) => ({
        from: `../custom/${name.plural}.js`,
        names: [`${name.collection} as ${name.singular}Hooks`],
      })),
    { from: "./kernel/http/http.js", names: httpNames(resources) },
    { from: "./kernel/entity/repository.js", names: ["EntityRepository"] },
    { from: "./kernel/http/settings.js", names: ["type ServiceRegistry"] },
    { from: "./settings.js", names: ["settings"] },
    { from: "./stores.js", names: ["openStores"] },
    ...resources.flatMap((resource) => {
      const { name, version, entity, aliases } = resource;
      const beside = `./${version}/${name.plural}/${name.plural}`;
      return [
        { from: `${beside}.controller.js`, names: [`${name.typeName}Controller`] },
        {
          from: `${beside}.access.js`,
          names: isRestricted(resource) ? [`${name.singular}Access`] : [],
        },
        {
          from: `${beside}.aliases.js`,
          names: aliases.length > 0 ? [`${name.singular}Aliases`] : [],
        },
        {
          from: `${beside}.references.js`,
          names: isLookingUp(resource) ? [`${name.singular}References`] : [],
        },
        {
          from: `${beside}.representation.js`,
          names: [
            ...(isConditional(resource) ? [`${name.singular}Conditions`] : []),
            ...(isRenaming(resource) ? [`${name.singular}Names`] : []),
          ],
        },
        {
          from: `${beside}.states.js`,
          names:
            entity.states === null || resource.isRepresentation ? [] : [`${name.singular}States`],
        },
      ];
    }),
  ];
}
