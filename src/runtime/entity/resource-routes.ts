import { OPEN, type AccessRules } from "../auth/access.js";
import type { CommonFields } from "../base/common-fields.js";
import type { Versioned } from "../http/conditional.js";
import {
  children,
  collection,
  created,
  entity,
  noContent,
  ok,
  type Handler,
  type Handlers,
  type HttpCall,
  type HttpReply,
  type HttpRoute,
  type Method,
} from "../http/routes.js";
import { jsonPage } from "../http/response.js";
import type { EntityBodies } from "../input/bodies.js";
import { aliasQuery, type CollectionAlias } from "../query/conditions.js";
import { keysOfToken, listDigest, nextSearch, pageToken } from "../query/page.js";
import { hasTokens, parseListQuery, type CollectionQuery } from "../query/query.js";
import { identityOf } from "../query/tenant.js";
import { childrenQuery, resolveUnder } from "./children.js";
import { lookUp, type References, type ResolvedReferences } from "./references.js";
import type { EntityRepository } from "./repository.js";

/** The operations of clients on a resource (OPS-9). */
type Operation = "create" | "list" | "read" | "replace" | "update" | "delete";

/** A path under another resource, for the entities that refer to one of its entities (CHD-1). */
interface ResourceParent {
  /** The reference to that resource. */
  readonly reference: string;
  readonly path: string;
  readonly entityType: string;
}

/** One URL of an entity: its operations, its access rules and the form of its responses. */
interface Resource<Entity, Properties, Leading extends References> {
  readonly path: string;
  readonly entityType: string;
  readonly operations: readonly Operation[];
  /** Readers of request bodies. Absent if the resource is read-only. */
  readonly bodies?: EntityBodies<Entity, Properties, ResolvedReferences<Leading>>;
  /** The query of the lists. Absent if there are none. */
  readonly collection?: CollectionQuery;
  readonly aliases?: Readonly<Record<string, CollectionAlias>>;
  readonly write: (entity: Entity, line?: string) => string;
  /** Access rules. Default to anyone (AUT-2). */
  readonly access?: AccessRules;
  /** The references whose targets are looked up before a body is read (REP-4). Defaults to none. */
  readonly references?: Leading;
  readonly parents?: readonly ResourceParent[];
  /** False if entities are only created under a parent (CHD-1). Defaults to true. */
  readonly createdAtRoot?: boolean;
  /** The routes of its actions (OPS-11). */
  readonly actions?: readonly HttpRoute[];
  /** The reference to the parent that a caller needs a tie to for a creation (AUT-2). Defaults to none. */
  readonly allowedBy?: string;
  /** False writes JSON without line breaks. Defaults to true. */
  readonly pretty?: boolean;
}

/** An operation, its method, and a function that creates its handler. */
type Offer = readonly [operation: Operation, method: Method, handler: () => Handler];

/** Creates the routes of a resource. A known path without an operation responds with 405, not 404 (OPS-9). */
export function routesOf<
  Entity extends CommonFields & Properties,
  Properties,
  Leading extends References = References,
>(
  repository: EntityRepository<Entity, Properties>,
  resource: Resource<NoInfer<Entity>, NoInfer<Properties>, Leading>,
): HttpRoute[] {
  const { access = OPEN, actions = [], aliases = {}, createdAtRoot = true } = resource;
  const { entityType, parents = [], path } = resource;
  const offered = (...offers: readonly Offer[]): Handlers =>
    Object.fromEntries(
      offers
        .filter(([operation]) => resource.operations.includes(operation))
        .map(([, method, handler]) => [method, handler()]),
    );
  const list = (under: string | null, alias?: CollectionAlias): Offer => {
    return ["list", "GET", () => listing(repository, resource, under, alias)];
  };
  const create = (under: string | null): Offer => {
    return ["create", "POST", () => creating(repository, resource, under)];
  };
  const entries = Object.entries(aliases);
  const below = path.slice(path.lastIndexOf("/"));
  const root = createdAtRoot ? [list(null), create(null)] : [list(null)];
  return [
    collection(path, offered(...root), access),
    ...entries.map(([name, alias]) =>
      collection(`${path}/${name}`, offered(list(null, alias)), access),
    ),
    entity(path, entityType, offered(...offersOfOne(repository, resource)), access),
    ...parents.flatMap(({ reference, ...parent }) => {
      const at = (rest: string) => [parent.path, parent.entityType, below + rest] as const;
      return [
        children(at(""), offered(list(reference), create(reference)), access),
        ...entries.map(([name, alias]) =>
          children(at(`/${name}`), offered(list(reference, alias)), access),
        ),
      ];
    }),
    ...actions,
  ];
}

/** Responds with a page of all entities, of an alias, or of the children of the entity in the path (COL, ALI-1, CHD-1). */
function listing<Entity extends CommonFields & Properties, Properties, Leading extends References>(
  repository: EntityRepository<Entity, Properties>,
  resource: Resource<Entity, Properties, Leading>,
  under: string | null,
  alias?: CollectionAlias,
): Handler {
  const { pretty = true, references = {}, write } = resource;
  const offered = needed(resource.collection, resource);
  const isTokened = hasTokens(offered);
  return async (call) => {
    const { context, path } = call;
    const { token, ...asked } = parseListQuery(call.search, offered);
    const listed = aliasQuery(asked, alias, context);
    // The digest excludes the filters of an alias, because they depend on the clock.
    const ordered = { filters: asked.filters, sort: listed.sort };
    const digest = (): string => listDigest(path, ordered, identityOf(context.caller));
    const query = token === null ? listed : { ...listed, after: keysOfToken(token, digest()) };
    const page = await repository.list(await childrenQuery(query, [under, references], call), call);
    const { last, pageNumber, pageSize } = page;
    const next = last === null || !isTokened ? null : pageToken(last, digest());
    const shown = offered.paging.next === true ? { ...page, next } : page;
    const answer = ok(await jsonPage(shown, write, pretty));
    if (last === null) return answer;
    const following =
      next === null ? { pageSize, pageNumber: (pageNumber ?? 0) + 1 } : { after: next };
    return { ...answer, next: `${path}?${nextSearch(call.search, following)}` };
  };
}

/** Stores a new entity, and responds with it. The path may name an entity that the new one refers to (OPS-1, CHD-1). */
function creating<Entity extends CommonFields & Properties, Properties, Leading extends References>(
  repository: EntityRepository<Entity, Properties>,
  resource: Resource<Entity, Properties, Leading>,
  under: string | null,
): Handler {
  const { access = OPEN, allowedBy, path, references, write } = resource;
  const bodies = needed(resource.bodies, resource);
  const { table } = repository;
  const own = allowedBy === undefined ? undefined : ([allowedBy, access] as const);
  const answer = (made: Versioned<Entity>): HttpReply =>
    created(`${path}/${table.identify(made.entity)}`, write(made.entity), made);
  const read = (call: HttpCall) =>
    references === undefined
      ? () => bodies.create(call.body, nothingResolved())
      : async () => bodies.create(call.body, await resolveUnder([under, references], call, own));
  return (call) => repository.create(read(call), answer, call);
}

/** Lists the operations on one entity. */
function offersOfOne<
  Entity extends CommonFields & Properties,
  Properties,
  Leading extends References,
>(
  repository: EntityRepository<Entity, Properties>,
  resource: Resource<Entity, Properties, Leading>,
): Offer[] {
  const { references, write } = resource;
  const show = (found: Versioned<Entity>): HttpReply => ok(write(found.entity), found);
  const changing = (verb: "replace" | "update") => (): Handler => {
    const bodies = needed(resource.bodies, resource);
    const read = (call: HttpCall) =>
      references === undefined
        ? (stored: Entity) => bodies[verb](call.body, stored, nothingResolved())
        : async (stored: Entity) =>
            bodies[verb](call.body, stored, await lookUp(references, call, stored));
    return (call) => repository.change(read(call), show, call);
  };
  return [
    ["read", "GET", () => (call) => repository.read(show, call)],
    ["replace", "PUT", changing("replace")],
    ["update", "PATCH", changing("update")],
    [
      "delete",
      "DELETE",
      () => async (call) => {
        await repository.remove(call.id, call);
        return noContent();
      },
    ],
  ];
}

/** Placeholder: without references, nothing reads it. */
function nothingResolved<Leading extends References>(): ResolvedReferences<Leading> {
  return {} as ResolvedReferences<Leading>;
}

function needed<T>(value: T | undefined, { path }: { readonly path: string }): T {
  if (value === undefined) throw new Error(`${path} has an operation without what reads it`);
  return value;
}
