import type { IncomingHttpHeaders } from "node:http";

import { OPEN, type AccessRules, type CallerGrant } from "../auth/access.js";
import {
  entityNotFound,
  methodNotAllowed,
  notImplemented,
  pathNotFound,
  versionNotFound,
  versionRetired,
  type ApiError,
} from "../base/errors.js";
import { suggestion } from "../base/texts.js";
import type { JsonObject } from "../input/json.js";
import { entityTag, type EntityVersion } from "./conditional.js";
import type { RequestContext } from "./request.js";
import type { KeptBody } from "./response.js";
import { servedVersions, type ServiceSettings } from "./settings.js";

/** A request that has passed the checks of the transport. */
export interface HttpCall {
  readonly method: string;
  /** The identifier in the path, lower case: the entity's, or its parent's on a child collection; else empty. */
  readonly id: string;
  /** The body; an empty object where the method has none. */
  readonly body: JsonObject;
  /** `/api/v1/orders`; empty where the service's own code calls. */
  readonly path: string;
  /** The query string without its `?`. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly context: RequestContext;
  readonly requestId: string;
}

/** An answer, before compression and the headers that every answer has. */
export interface HttpReply {
  readonly status: number;
  /** JSON, or null for none. */
  readonly body: string | null;
  /** Of the body in UTF-8. Counted where it is laid out: that joins its pieces, which are more to keep while it waits. */
  readonly bytes: number;
  /** The path of what was created, or null (OPS-1). */
  readonly location: string | null;
  /** The tag of the body as it stands here, before compression, or null (OPS-10). */
  readonly etag: string | null;
  /** The path and the query of the page that follows (QRY-9); left out: none does. */
  readonly next?: string;
  /** In place of `body`: one that is kept from answer to answer. */
  readonly kept?: KeptBody;
}

/** What was answered to the first request with an `Idempotency-Key` (OPS-12). */
export interface KeptAnswer {
  readonly reply: HttpReply;
  /** Its body was too large to be kept: the entity is read again. */
  readonly isRead: boolean;
}

/** Answers a call; throws `ApiError`. */
export type Handler = (call: HttpCall) => HttpReply | Promise<HttpReply>;

/** The methods that a resource can offer. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Those whose requests have no body. */
export const METHODS_WITHOUT_BODY: readonly Method[] = ["GET", "DELETE"];

/** One handler a method. */
export type Handlers = { readonly [method in Method]?: Handler };

/** What one method of a route of the service's own asks. */
interface OwnMethod {
  /** AUT-2: who may call it, whatever it is about. */
  readonly access: readonly CallerGrant[];
  /** True where a request needs no body. */
  readonly isBodyOptional: boolean;
}

/** A path and what it answers. */
export interface HttpRoute {
  /** `/api/v1/orders`; an identifier follows it where there is one. */
  readonly path: string;
  readonly handlers: Handlers;
  /** Whose identifier follows: `Order`; null for a path without one. */
  readonly entityType: string | null;
  /** What follows the identifier: `/shipments`; empty for the path of the entity itself. */
  readonly rest: string;
  /** AUT-2 */
  readonly access: AccessRules;
  /** Of a route of the service's own, which nothing asks about entities: in place of `access`. */
  readonly own?: { readonly [method in Method]?: OwnMethod };
  /** Left out: it is not the path of an action (OPS-11). */
  readonly action?: { readonly hasInput: boolean };
  /** True where an answer is due however busy the service is; left out: false. */
  readonly isVital?: boolean;
  /** True where the answer is not JSON but a page for people: it has its type whatever is asked for. */
  readonly isPage?: boolean;
}

/** A path without an identifier: a collection, an alias, a document; `access` says who may call it (AUT-2). */
export function collection(path: string, handlers: Handlers, access = OPEN): HttpRoute {
  return { path, handlers, entityType: null, rest: "", access };
}

/** The path of one entity, under its collection's path. */
export function entity(
  path: string,
  entityType: string,
  handlers: Handlers,
  access = OPEN,
): HttpRoute {
  return { path, handlers, entityType, rest: "", access };
}

/** The children of one entity, `/api/v1/orders/{orderId}/shipments`, or an alias of them (CHD-1). */
export function children(
  [path, entityType, rest]: readonly [path: string, entityType: string, rest: string],
  handlers: Handlers,
  access = OPEN,
): HttpRoute {
  return { path, handlers, entityType, rest, access };
}

/** 200 with a body; with the tag of it where it is an entity's (OPS-10). */
export function ok(body: string, version: EntityVersion | null = null): HttpReply {
  const bytes = Buffer.byteLength(body);
  return { status: 200, body, bytes, location: null, etag: tagOf(version, body) };
}

/** 200 with a body that is kept from answer to answer. */
export function okKept(kept: KeptBody): HttpReply {
  return { status: 200, body: null, bytes: 0, location: null, etag: null, kept };
}

/** 201 with the whole entity, the path and the tag of it (OPS-1, OPS-10). */
export function created(
  path: string,
  body: string,
  version: EntityVersion | null = null,
): HttpReply {
  const bytes = Buffer.byteLength(body);
  return { status: 201, body, bytes, location: path, etag: tagOf(version, body) };
}

/** 204 without a body (OPS-6). */
export function noContent(): HttpReply {
  return { status: 204, body: null, bytes: 0, location: null, etag: null };
}

function tagOf(version: EntityVersion | null, body: string): string | null {
  return version === null ? null : entityTag(version, body);
}

/** Where people read and try the API. */
export const DOCS_PATH = "/docs";

/** So many resources a refusal names. */
const MOST_NAMED = 8;

/** Methods that HTTP itself defines; others are not implemented anywhere. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
]);

/** Says why a request reaches no handler. */
export class RouteTable {
  private readonly paths = new Map<string, HttpRoute>();
  private readonly entities = new Map<string, HttpRoute>();
  /** By what follows the identifier, and what stands before it. */
  private readonly nested: HttpRoute[] = [];

  constructor(
    routes: readonly HttpRoute[],
    private readonly settings: ServiceSettings,
  ) {
    for (const route of routes) {
      if (route.rest !== "") this.nested.push(route);
      else (route.entityType === null ? this.paths : this.entities).set(route.path, route);
    }
  }

  /** The refusal of a request that no route takes: 404, 405 with `Allow`, or 501. */
  refusal(method: string, target: string, requestId: string): ApiError {
    const path = pathOf(target);
    const route = this.find(path);
    if (route === undefined) return this.notFound(path);
    const allowed = allowedMethods(route);
    if (!KNOWN_METHODS.has(method)) return notImplemented(method, allowed, requestId);
    if (!allowed.includes(method)) {
      return methodNotAllowed(method, allowed, this.elsewhere(method, path));
    }
    // Only an identifier that cannot be decoded leads here.
    const end = path.length - route.rest.length;
    return entityNotFound(route.entityType ?? "", path.slice(route.path.length + 1, end));
  }

  private find(path: string): HttpRoute | undefined {
    const end = path.lastIndexOf("/");
    const hasIdentifier = end > 0 && end < path.length - 1;
    return (
      this.paths.get(path) ??
      (hasIdentifier ? this.entities.get(path.slice(0, end)) : undefined) ??
      this.nested.find((route) => isUnder(path, route))
    );
  }

  /** VER-1: under the base path the first segment is a version that is served; VER-4: or one that was. */
  private notFound(path: string): ApiError {
    const { basePath, versions } = this.settings;
    const served = servedVersions(versions).map(({ name }) => name);
    if (path !== basePath && !path.startsWith(`${basePath}/`)) {
      const roots = served.map((version) => `${basePath}/${version}/`);
      const below = path === "/" ? roots.flatMap((root) => this.collectionsBelow(root)) : [];
      const places = below.length === 0 ? `below ${roots.join(", ")}` : listed(below);
      return pathNotFound(path, `; the resources are ${places}, and ${DOCS_PATH} shows them.`);
    }
    const [version = "", name = ""] = path.slice(basePath.length + 1).split("/");
    const isKnown = versions.some(({ name: known }) => known === version);
    if (isKnown && !served.includes(version)) return versionRetired(version, served);
    if (!served.includes(version)) return versionNotFound(served);
    const root = `${basePath}/${version}/`;
    if (name === "") {
      return pathNotFound(path, `; the resources are ${listed(this.collectionsBelow(root))}.`);
    }
    const names = this.namesBelow(root);
    return pathNotFound(path, names.includes(name) ? "." : suggestion(name, names) || ".");
  }

  /** The resources of a version: `orders`, and what else stands directly below it. */
  private namesBelow(root: string): readonly string[] {
    const below = [...this.paths.keys()].filter((path) => path.startsWith(root));
    return below.map((path) => path.slice(root.length)).filter((name) => !name.includes("/"));
  }

  private collectionsBelow(root: string): readonly string[] {
    const names = this.namesBelow(root).filter((name) => !name.includes("."));
    return names.map((name) => root + name);
  }

  /** What a refusal ends in: where a child's entities are created, for whoever tries it at the root (CHD-1). */
  private elsewhere(method: string, path: string): string {
    const last = path.slice(path.lastIndexOf("/"));
    const route = this.nested.find(({ rest, handlers }) => rest === last && "POST" in handlers);
    if (method !== "POST" || route === undefined) return ".";
    return `; POST ${route.path}/<identifier>${last} is.`;
  }
}

function listed(places: readonly string[]): string {
  const rest = places.length - MOST_NAMED;
  const more = rest > 0 ? ` and ${rest} more` : "";
  return places.slice(0, MOST_NAMED).join(", ") + more;
}

/** Says whether a path is a route's with some identifier in it. */
function isUnder(path: string, route: HttpRoute): boolean {
  if (!path.startsWith(`${route.path}/`) || !path.endsWith(route.rest)) return false;
  const identifier = path.slice(route.path.length + 1, path.length - route.rest.length);
  return identifier !== "" && !identifier.includes("/");
}

/** What `Allow` says of a route: its own methods, HEAD beside GET, and OPTIONS (OPS-9). */
export function allowedMethods({ handlers }: HttpRoute): readonly string[] {
  const own = Object.keys(handlers);
  return [...own, ...(handlers.GET === undefined ? [] : ["HEAD"]), "OPTIONS"].sort();
}

/** The path of a request target, as it was sent. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** What an action asks before its own code is called (OPS-11). */
export interface ActionRules {
  /** `cancel` */
  readonly name: string;
  /** Who may do it: `update` for one entity, `create` for a collection (AUT-2). */
  readonly access: AccessRules;
  /** False where a request needs no body. */
  readonly hasInput: boolean;
  /** The states in which an entity has to be (STA-2); left out: any. */
  readonly states?: readonly string[];
}

/** An action on one entity, `/api/v1/orders/{orderId}/cancel`. */
export function entityAction(
  [path, entityType, rest]: readonly [path: string, entityType: string, rest: string],
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType, rest, access, action: { hasInput } };
}

/** An action on a collection, `/api/v1/orders/quote`. */
export function collectionAction(
  path: string,
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType: null, rest: "", access, action: { hasInput } };
}
