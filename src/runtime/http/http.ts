import type { IncomingHttpHeaders } from "node:http";

import { OPEN, type AccessRules, type CallerGrant } from "../auth/access.js";
import type { JsonObject } from "../input/json.js";
import type { KeptBody } from "./compression.js";
import { entityTag, type EntityVersion } from "./entity-tag.js";
import type { RequestContext } from "./request-context.js";

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
export interface OwnMethod {
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
