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

/** A request that has passed the checks of the HTTP layer, or a call from custom code. */
export interface HttpCall {
  readonly method: string;
  /** The identifier in the path, in lower case: of the entity, or of a child collection's parent. Empty if there is none. */
  readonly id: string;
  /** An empty object if the request has no body. */
  readonly body: JsonObject;
  /** `/api/v1/orders`. Empty for a call from custom code. */
  readonly path: string;
  /** The query string without its `?`. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly context: RequestContext;
  readonly requestId: string;
}

/** A response before compression, without the headers that all responses have. */
export interface HttpReply {
  readonly status: number;
  /** JSON. Null means no body. */
  readonly body: string | null;
  /** Bytes of the body in UTF-8, counted early because counting joins the pieces of the string and so frees memory. */
  readonly bytes: number;
  /** The path of the created entity, or null (OPS-1). */
  readonly location: string | null;
  /** The tag of the body before compression, or null (OPS-10). */
  readonly etag: string | null;
  /** The path and query of the next page (QRY-9). Missing on the last page. */
  readonly next?: string;
  /** A body that is kept between responses; replaces `body`. */
  readonly kept?: KeptBody;
}

/** The response to the first request with an `Idempotency-Key` (OPS-12). */
export interface KeptAnswer {
  readonly reply: HttpReply;
  /** True if the body was too large to store, so the entity is read again. */
  readonly isRead: boolean;
}

/** Answers a call. Throws `ApiError`. */
export type Handler = (call: HttpCall) => HttpReply | Promise<HttpReply>;

/** The methods that a resource can offer. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const METHODS_WITHOUT_BODY: readonly Method[] = ["GET", "DELETE"];

export type Handlers = { readonly [method in Method]?: Handler };

/** The rules of one method of a custom route. */
interface OwnMethod {
  /** The callers that may use the method (AUT-2). */
  readonly access: readonly CallerGrant[];
  readonly isBodyOptional: boolean;
}

/** A path and the handlers of its methods. */
export interface HttpRoute {
  /** `/api/v1/orders`, before any identifier. */
  readonly path: string;
  readonly handlers: Handlers;
  /** The type of the entity whose identifier follows: `Order`. Null for a path without an identifier. */
  readonly entityType: string | null;
  /** The part after the identifier: `/shipments`. Empty for the path of the entity itself. */
  readonly rest: string;
  /** AUT-2 */
  readonly access: AccessRules;
  /** The rules of a custom route, which has no entity; replaces `access`. */
  readonly own?: { readonly [method in Method]?: OwnMethod };
  /** Missing if the path is not an action (OPS-11). */
  readonly action?: { readonly hasInput: boolean };
  /** True if the route is answered even under overload. Defaults to false. */
  readonly isVital?: boolean;
  /** True if the response is an HTML page instead of JSON. `Accept` is then ignored. */
  readonly isPage?: boolean;
}

/** Creates the route of a path without an identifier: a collection, an alias or a document. */
export function collection(path: string, handlers: Handlers, access = OPEN): HttpRoute {
  return { path, handlers, entityType: null, rest: "", access };
}

/** Creates the route of one entity below its collection's path. */
export function entity(
  path: string,
  entityType: string,
  handlers: Handlers,
  access = OPEN,
): HttpRoute {
  return { path, handlers, entityType, rest: "", access };
}

/** Creates the route of an entity's children, `/api/v1/orders/{orderId}/shipments`, or of an alias of them (CHD-1). */
export function children(
  [path, entityType, rest]: readonly [path: string, entityType: string, rest: string],
  handlers: Handlers,
  access = OPEN,
): HttpRoute {
  return { path, handlers, entityType, rest, access };
}

/** Returns 200 with a body, and with a tag if `version` is given (OPS-10). */
export function ok(body: string, version: EntityVersion | null = null): HttpReply {
  const bytes = Buffer.byteLength(body);
  return { status: 200, body, bytes, location: null, etag: tagOf(version, body) };
}

/** Returns 200 with a body that is kept between responses. */
export function okKept(kept: KeptBody): HttpReply {
  return { status: 200, body: null, bytes: 0, location: null, etag: null, kept };
}

/** Returns 201 with the entity, its path and its tag (OPS-1, OPS-10). */
export function created(
  path: string,
  body: string,
  version: EntityVersion | null = null,
): HttpReply {
  const bytes = Buffer.byteLength(body);
  return { status: 201, body, bytes, location: path, etag: tagOf(version, body) };
}

/** Returns 204 without a body (OPS-6). */
export function noContent(): HttpReply {
  return { status: 204, body: null, bytes: 0, location: null, etag: null };
}

function tagOf(version: EntityVersion | null, body: string): string | null {
  return version === null ? null : entityTag(version, body);
}

/** The path of the pages on which people read and try the API. */
export const DOCS_PATH = "/docs";

/** Number of resources that an error message lists. */
const MOST_NAMED = 8;

/** Methods that HTTP defines. All others are not implemented. */
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

/** Finds the reason why a request reaches no handler. */
export class RouteTable {
  private readonly paths = new Map<string, HttpRoute>();
  private readonly entities = new Map<string, HttpRoute>();
  /** Routes that continue after the identifier. */
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

  /** Returns the error for a request that matches no route: 404, 405 with `Allow`, 410 or 501. */
  refusal(method: string, target: string, requestId: string): ApiError {
    const path = pathOf(target);
    const route = this.find(path);
    if (route === undefined) return this.notFound(path);
    const allowed = allowedMethods(route);
    if (!KNOWN_METHODS.has(method)) return notImplemented(method, allowed, requestId);
    if (!allowed.includes(method)) {
      return methodNotAllowed(method, allowed, this.elsewhere(method, path));
    }
    // A known path and method fail only if the identifier cannot be decoded.
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

  /** Returns 404 or 410. The first segment below the base path is a version (VER-1), which may be retired (VER-4). */
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

  /** Returns the names directly below a version: `orders`, and also documents. */
  private namesBelow(root: string): readonly string[] {
    const below = [...this.paths.keys()].filter((path) => path.startsWith(root));
    return below.map((path) => path.slice(root.length)).filter((name) => !name.includes("/"));
  }

  private collectionsBelow(root: string): readonly string[] {
    const names = this.namesBelow(root).filter((name) => !name.includes("."));
    return names.map((name) => root + name);
  }

  /** Returns the end of an error message. For a POST to the root of a child resource, it names the right path (CHD-1). */
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

/** Reports whether a path is the route's path with any identifier. */
function isUnder(path: string, route: HttpRoute): boolean {
  if (!path.startsWith(`${route.path}/`) || !path.endsWith(route.rest)) return false;
  const identifier = path.slice(route.path.length + 1, path.length - route.rest.length);
  return identifier !== "" && !identifier.includes("/");
}

/** Returns the methods for `Allow`: those of the route, HEAD if it has GET, and OPTIONS (OPS-9). */
export function allowedMethods({ handlers }: HttpRoute): readonly string[] {
  const own = Object.keys(handlers);
  return [...own, ...(handlers.GET === undefined ? [] : ["HEAD"]), "OPTIONS"].sort();
}

/** Returns a request target without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end < 0 ? target : target.slice(0, end);
}

/** The checks of an action before its custom code is called (OPS-11). */
export interface ActionRules {
  /** `cancel` */
  readonly name: string;
  /** An action on one entity follows the rules of `update`, and one on a collection those of `create` (AUT-2). */
  readonly access: AccessRules;
  /** False if the request needs no body. */
  readonly hasInput: boolean;
  /** The states in which the entity may be (STA-2). Defaults to any. */
  readonly states?: readonly string[];
}

/** Creates the route of an action on one entity, `/api/v1/orders/{orderId}/cancel`. */
export function entityAction(
  [path, entityType, rest]: readonly [path: string, entityType: string, rest: string],
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType, rest, access, action: { hasInput } };
}

/** Creates the route of an action on a collection, `/api/v1/orders/quote`. */
export function collectionAction(
  path: string,
  { access, hasInput }: ActionRules,
  handlers: Handlers,
): HttpRoute {
  return { path, handlers, entityType: null, rest: "", access, action: { hasInput } };
}
