import type { FastifyInstance, FastifyReply, RouteOptions } from "fastify";

import { OPEN, type CallerGrant } from "../auth/access.js";
import { runCustom, runCustomNow, runOutsideCustomCode } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import { replyInUnit } from "../entity/transaction.js";
import { isUnsendable } from "../http/error-responses.js";
import type { RequestContext } from "../http/request.js";
import {
  METHODS_WITHOUT_BODY,
  noContent,
  ok,
  type HttpCall,
  type HttpReply,
  type Method,
  type HttpRoute,
} from "../http/routes.js";
import type { ServiceRuntime } from "../http/settings.js";
import { BodyInput } from "../input/bodies.js";
import type { JsonObject } from "../input/json.js";
import type { Reader } from "../input/reader.js";

/** The readers of a body's properties, by name. */
export type BodyReaders<Body> = { readonly [Name in keyof Body]: Reader<Body[Name]> };

/** A request to a custom route. */
export interface OwnCall<Body, OwnContext> {
  /** The body as read. An empty object if the route declares none. */
  readonly body: Body;
  /** The identifier in the path, in lower case. Empty if the path has none. */
  readonly id: string;
  readonly search: URLSearchParams;
  readonly context: OwnContext;
}

/** A custom route: one method of one path. */
export interface OwnRoute<Body, OwnContext> {
  readonly method: Method;
  /** `/api/v1/imports`, or with an identifier: `/api/v1/orders/{orderId}/receipt`. */
  readonly path: string;
  /**
   * The callers that may use the route (AUT-2). Defaults to authenticated callers, or to anyone in a service without tokens.
   */
  readonly access?: readonly CallerGrant[];
  /** The reader of each property of the body. Other properties are refused (OPS-8). */
  readonly body?: BodyReaders<Body>;
  /**
   * Returns undefined for 204, or a value that is sent as JSON with 200. Its writes through `context.services` are one
   * transaction, which is retried on a conflict. Throws an `ApiError` to refuse the request.
   */
  handle(call: OwnCall<Body, OwnContext>): unknown;
}

/** A custom route with any body and context. */
export interface DeclaredRoute extends Pick<
  OwnRoute<unknown, unknown>,
  "method" | "path" | "access"
> {
  readonly body?: Readonly<Record<string, Reader<unknown>>>;
  handle(call: OwnCall<never, never>): unknown;
}

const PATH = /^((?:\/[A-Za-z0-9._~-]+)+)(?:\/\{([a-z][A-Za-z0-9]*)Id\}((?:\/[A-Za-z0-9._~-]+)*))?$/;
const CALLER_GRANT = /^(?:anyone|authenticated|role:.+|claim:[^=]+=.+)$/;

/** Creates the custom routes, which follow the rules of all others. Throws `StartRefusal` if a route is invalid. */
export function ownRoutes(
  declared: readonly DeclaredRoute[],
  taken: readonly HttpRoute[],
  runtime: ServiceRuntime,
  contextOf: (request: RequestContext) => object,
): readonly HttpRoute[] {
  const usual: CallerGrant =
    runtime.settings.authentication.scheme === "none" ? "anyone" : "authenticated";
  const routes = new Map<string, HttpRoute>();
  for (const own of declared) {
    const place = placeOf(own.path);
    const known = routes.get(own.path);
    const isTaken = taken.some((other) => isAt(place, other));
    if (isTaken)
      throw new StartRefusal(`The path ${own.path} is taken: src/app.ts cannot have it.`);
    if (known?.handlers[own.method] !== undefined) {
      throw new StartRefusal(`src/app.ts has two routes for ${own.method} ${own.path}.`);
    }
    checkNames(own, declared);
    checkRoute(own);
    const handlers = { ...known?.handlers, [own.method]: handlerOf(own, runtime, contextOf) };
    const asked = { access: own.access ?? [usual], isBodyOptional: own.body === undefined };
    const methods = { ...known?.own, [own.method]: asked };
    routes.set(own.path, { ...place, handlers, own: methods, access: OPEN });
  }
  return [...routes.values()];
}

type Place = Pick<HttpRoute, "path" | "entityType" | "rest">;

/** Compares two paths regardless of the names of their identifiers. */
function isAt({ path, entityType, rest }: Place, other: Place): boolean {
  const isOne = path === other.path && rest === other.rest;
  return isOne && (entityType === null) === (other.entityType === null);
}

/** Throws `StartRefusal` if another route has the path with another name of its identifier. */
function checkNames({ method, path }: DeclaredRoute, declared: readonly DeclaredRoute[]): void {
  const place = placeOf(path);
  const other = declared.find((one) => one.path !== path && isAt(place, placeOf(one.path)));
  if (other === undefined) return;
  throw new StartRefusal(
    `src/app.ts has ${method} ${path} and ${other.method} ${other.path}, which are the same path: give its identifier one name.`,
  );
}

function checkRoute({ method, path, body, access = [] }: DeclaredRoute): void {
  if (body !== undefined && METHODS_WITHOUT_BODY.includes(method)) {
    throw new StartRefusal(`A ${method} has no body: ${path} of src/app.ts declares one.`);
  }
  // A custom route has no entity, so ownership cannot be checked.
  const wrong = access.find((grant) => !CALLER_GRANT.test(grant));
  if (wrong === undefined) return;
  throw new StartRefusal(
    `${method} ${path} of src/app.ts cannot give access to "${wrong}": it can be "anyone", "authenticated", "role:" and a role, or a claim such as "claim:department=sales".`,
  );
}

function placeOf(path: string): Place {
  const match = PATH.exec(path);
  if (match === null) {
    throw new StartRefusal(
      `${path} is not a path for a route of src/app.ts: it is like /api/v1/imports or /api/v1/orders/{orderId}/receipt.`,
    );
  }
  const [, before = "", entity, rest = ""] = match;
  const entityType = entity === undefined ? null : entity.charAt(0).toUpperCase() + entity.slice(1);
  return { path: before, entityType, rest };
}

function handlerOf(
  own: DeclaredRoute,
  { database, settings }: ServiceRuntime,
  contextOf: (request: RequestContext) => object,
): (call: HttpCall) => Promise<HttpReply> {
  // The generated types determine the body and the context of each route.
  const { method, path, body: readers, handle } = own as OwnRoute<JsonObject, object>;
  return async (call) => {
    // The access has been checked before (OPS-12).
    if (call.context.kept !== null) return call.context.kept.reply;
    const body = readBody(call, readers);
    const search = new URLSearchParams(call.search);
    const context = (): object => contextOf(call.context);
    const answer = async (): Promise<HttpReply> =>
      runCustom(`${method} ${path} of src/app.ts`, async () =>
        replyOf(await handle({ body, id: call.id, search, context: context() }), settings.pretty),
      );
    if (method === "GET") return answer();
    const work = async () => ({ reply: await answer() });
    const { reply } = await replyInUnit(call.context, database, work);
    return reply;
  };
}

/** Throws `InvalidBody` with every issue (ERR-4). */
function readBody<Body>({ body }: HttpCall, readers: BodyReaders<Body> | undefined): Body {
  const input = new BodyInput(body);
  const entries = Object.entries<Reader<unknown>>(readers ?? {});
  input.refuseUnknown(new Set(entries.map(([name]) => name)));
  const read = entries.map(
    ([name, reader]) => [name, input.read(name, reader, undefined)] as const,
  );
  // Each reader has read the property of its name.
  return input.finish(Object.fromEntries(read) as Body);
}

function replyOf(answer: unknown, pretty: boolean): HttpReply {
  return answer === undefined ? noContent() : ok(JSON.stringify(answer, null, pretty ? 2 : 0));
}

type Callback = (this: unknown, ...given: readonly unknown[]) => unknown;

/**
 * Adds plugins. Their hooks and routes are custom code, whose uncaught errors are logged with a name and stop nothing. After an
 * `onSend` has failed, the error is sent without the plugins' `onSend` hooks, which would fail again.
 */
export async function addPlugins(
  app: FastifyInstance,
  plugins: ((app: FastifyInstance) => unknown) | undefined,
): Promise<void> {
  if (plugins === undefined) return;
  const add = Reflect.get(app, "addHook") as Callback;
  let isOver = false;
  // The instances that plugins receive inherit this property.
  Reflect.set(app, "addHook", function (this: unknown, name: string, hook: Callback): unknown {
    return Reflect.apply(add, this, [name, isOver ? hook : hookOf(name, hook)]);
  });
  Reflect.apply(add, app, [
    "onRoute",
    (route: RouteOptions): void => {
      if (isOver) return;
      const handler = named(`${route.url} of a plugin`, route.handler as Callback);
      route.handler = handler as typeof route.handler;
    },
  ]);
  await plugins(app);
  await app.after();
  isOver = true;
  // Added after the hooks of plugins, which can give each route an `onSend`.
  Reflect.apply(add, app, ["onRoute", wrapOnSend]);
}

function wrapOnSend(route: RouteOptions): void {
  if (route.onSend === undefined) return;
  const hooks = [route.onSend].flat() as unknown as readonly Callback[];
  route.onSend = hooks.map((hook) => hookOf("onSend", hook)) as unknown as typeof route.onSend;
}

function hookOf(name: string, hook: Callback): Callback {
  const own = named(`${name} of a plugin`, hook);
  return name === "onSend" ? unlessUnsendable(own) : own;
}

/** Skips an `onSend` hook for an error that replaces a response which could not be sent. */
function unlessUnsendable(own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given): unknown {
    const [, reply, payload, done] = given;
    if (!isUnsendable(reply as FastifyReply)) return Reflect.apply(own, this, given);
    return own.length > 3 ? (done as Callback)(null, payload) : Promise.resolve(payload);
  };
  return likewise(run, own);
}

/** Runs a function of a plugin as custom code with a name. */
function named(code: string, own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given) {
    const all = given.map((one) =>
      typeof one === "function" ? runOutsideCustomCode(one as Callback) : one,
    );
    return runCustomNow(code, () => Reflect.apply(own, this, all));
  };
  return likewise(run, own);
}

/** Copies the length and the asynchrony of a function, because Fastify infers from them whether it takes a callback. */
function likewise(run: Callback, own: Callback): Callback {
  const isAsync = own.constructor.name === "AsyncFunction";
  const same: Callback = isAsync
    ? async function (this: unknown, ...given) {
        return Reflect.apply(run, this, given);
      }
    : run;
  return Object.defineProperty(same, "length", { value: own.length });
}
