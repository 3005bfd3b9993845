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
import { jsonPage, type Write } from "../http/response.js";
import type { EntityBodies } from "../input/bodies.js";
import { aliasQuery, type CollectionAlias } from "../query/conditions.js";
import { type Page, keysOfToken, listDigest, nextSearch, pageToken } from "../query/page.js";
import { hasTokens, parseListQuery, type CollectionQuery } from "../query/query.js";
import { childrenQuery, resolveUnder } from "./children.js";
import type { ShownFor } from "./conversion.js";
import { lookUp, type References, type ResolvedReferences } from "./references.js";
import type { EntityRepository } from "./repository.js";

/** What clients can do with a resource (OPS-9). */
type Operation = "create" | "list" | "read" | "replace" | "update" | "delete";

/** A path under another resource, where those are listed and created that refer to one of it (CHD-1). */
interface ResourceParent {
  /** The reference that leads there. */
  readonly reference: string;
  /** The path of that resource, and the type of its entities. */
  readonly path: string;
  readonly entityType: string;
}

/** What one URL shows of an entity, and who may do what there. */
interface Resource<Entity, Properties, Leading extends References> {
  readonly path: string;
  readonly entityType: string;
  readonly operations: readonly Operation[];
  /** Left out: it is only read. */
  readonly bodies?: EntityBodies<Entity, Properties, ResolvedReferences<Leading>>;
  /** Left out: there are no lists. */
  readonly collection?: CollectionQuery;
  readonly aliases?: Readonly<Record<string, CollectionAlias>>;
  readonly write: (entity: Entity, line?: string) => string;
  /** Left out: anyone may do anything (AUT-2). */
  readonly access?: AccessRules;
  /** Where references lead, which is looked up before a body is read (REP-4); left out: there are none. */
  readonly references?: Leading;
  readonly parents?: readonly ResourceParent[];
  /** False: new ones are created under a parent alone (CHD-1); left out: also at the path itself. */
  readonly createdAtRoot?: boolean;
  /** The routes of its actions (OPS-11). */
  readonly actions?: readonly HttpRoute[];
  /** The reference to the parent by whose rules one is created (AUT-2); left out: those do not depend on it. */
  readonly allowedBy?: string;
  /** False: JSON without line breaks; left out: true. */
  readonly pretty?: boolean;
  /** Writes a page in which some cannot be shown (VER-2); left out: all of them can. */
  readonly writePage?: (
    page: Page<Entity>,
    write: Write<Entity>,
    how: ShownFor,
  ) => string | Promise<string>;
}

/** An operation, its method, and what makes its handler where it is offered. */
type Offer = readonly [operation: Operation, method: Method, handler: () => Handler];

/** The routes of a resource, and what answers them; a known path without an operation is 405, not 404 (OPS-9). */
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

/** Answers with a page: of those that refer to what the path names, and within an alias (COL, ALI-1, CHD-1). */
function listing<Entity extends CommonFields & Properties, Properties, Leading extends References>(
  repository: EntityRepository<Entity, Properties>,
  resource: Resource<Entity, Properties, Leading>,
  under: string | null,
  alias?: CollectionAlias,
): Handler {
  const { pretty = true, references = {}, write, writePage = jsonPageOf } = resource;
  const offered = needed(resource.collection, resource);
  const { idProperty } = repository.table;
  const isTokened = hasTokens(offered);
  return async (call) => {
    const { context, path } = call;
    const { token, ...asked } = parseListQuery(call.search, offered);
    const listed = aliasQuery(asked, alias, context);
    // The filters of an alias move with the clock.
    const ordered = { filters: asked.filters, sort: listed.sort };
    const digest = (): string => listDigest(path, ordered, context.caller.subject.subjectId);
    const query = token === null ? listed : { ...listed, after: keysOfToken(token, digest()) };
    const page = await repository.list(await childrenQuery(query, [under, references], call), call);
    const { last, pageNumber, pageSize } = page;
    const next = last === null || !isTokened ? null : pageToken(last, digest());
    const shown = offered.paging.next === true ? { ...page, next } : page;
    const answer = ok(await writePage(shown, write, { context, idProperty, pretty }));
    if (last === null) return answer;
    const following =
      next === null ? { pageSize, pageNumber: (pageNumber ?? 0) + 1 } : { after: next };
    return { ...answer, next: `${path}?${nextSearch(call.search, following)}` };
  };
}

/** Stores a new entity, of which the path may name what it refers to, and answers with it (OPS-1, CHD-1). */
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

/** What can be done with one entity, by its path. */
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

/** Where there are no references, nothing is read of this. */
function nothingResolved<Leading extends References>(): ResolvedReferences<Leading> {
  return {} as ResolvedReferences<Leading>;
}

function jsonPageOf<Entity>(
  page: Page<Entity>,
  write: Write<Entity>,
  { pretty }: ShownFor,
): string | Promise<string> {
  return jsonPage(page, write, pretty);
}

function needed<T>(value: T | undefined, { path }: { readonly path: string }): T {
  if (value === undefined) throw new Error(`${path} has an operation without what reads it`);
  return value;
}
