import type { FastifyInstance, FastifyReply, RouteOptions } from "fastify";

import { OPEN, type CallerGrant } from "../auth/access.js";
import { runCustom, runCustomNow, runOutsideCustomCode } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import { answerInUnit } from "../entity/transaction.js";
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

/** How the properties of a body are read. */
export type BodyReaders<Body> = { readonly [Name in keyof Body]: Reader<Body[Name]> };

/** A request to a route of the service's own. */
export interface OwnCall<Body, OwnContext> {
  /** What was read of the body; an empty object where the route declares none. */
  readonly body: Body;
  /** The identifier in the path, in lower case; empty where the path has none. */
  readonly id: string;
  readonly search: URLSearchParams;
  readonly context: OwnContext;
}

/** A route of the service's own: one method of one path. */
export interface OwnRoute<Body, OwnContext> {
  readonly method: Method;
  /** `/api/v1/imports`, or with an identifier in it: `/api/v1/orders/{orderId}/receipt`. */
  readonly path: string;
  /** Who may call it (AUT-2); left out: whoever has a valid token, or anyone where the service asks for none. */
  readonly access?: readonly CallerGrant[];
  /** All that the body holds, each with its reader; anything else in it is refused (OPS-8). */
  readonly body?: BodyReaders<Body>;
  /**
   * Answers: undefined is 204 without a body, anything else 200 with it as JSON. What it writes through `context.services`
   * is one transaction; it runs again when another request was faster. Throws an `ApiError` to refuse.
   */
  handle(call: OwnCall<Body, OwnContext>): unknown;
}

/** A route whose body and context only its own types know. */
export interface DeclaredRoute extends Pick<
  OwnRoute<unknown, unknown>,
  "method" | "path" | "access"
> {
  readonly body?: Readonly<Record<string, Reader<unknown>>>;
  handle(call: OwnCall<never, never>): unknown;
}

const PATH = /^((?:\/[A-Za-z0-9._~-]+)+)(?:\/\{([a-z][A-Za-z0-9]*)Id\}((?:\/[A-Za-z0-9._~-]+)*))?$/;
const CALLER_GRANT = /^(?:anyone|authenticated|role:.+)$/;

/** The routes of the service's own, under the same rules as all others. Throws `StartRefusal` for one that cannot be. */
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

/** What an identifier is called in a path makes it no other one. */
function isAt({ path, entityType, rest }: Place, other: Place): boolean {
  const isOne = path === other.path && rest === other.rest;
  return isOne && (entityType === null) === (other.entityType === null);
}

/** Throws `StartRefusal` where another route has this path with another name of its identifier. */
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
  // Nothing here knows an entity that somebody could have made, or be given.
  const wrong = access.find((grant) => !CALLER_GRANT.test(grant));
  if (wrong === undefined) return;
  throw new StartRefusal(
    `${method} ${path} of src/app.ts cannot give access to "${wrong}": it can be "anyone", "authenticated", or "role:" and a role.`,
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
  // The service's generated types say which body and which context each route has.
  const { method, path, body: readers, handle } = own as OwnRoute<JsonObject, object>;
  return async (call) => {
    // OPS-12: who may call it was asked before.
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
    const { reply } = await answerInUnit(call.context, database, work);
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
  // Each name has what its own reader read.
  return input.finish(Object.fromEntries(read) as Body);
}

function replyOf(answer: unknown, pretty: boolean): HttpReply {
  return answer === undefined ? noContent() : ok(JSON.stringify(answer, null, pretty ? 2 : 0));
}

type Callback = (this: unknown, ...given: readonly unknown[]) => unknown;

/**
 * Adds plugins. Their hooks and routes are custom code: an error that they leave uncaught is logged with their name, and stops
 * nothing. Once an `onSend` has failed, the error is sent without the hooks of plugins: they would fail again.
 */
export async function addPlugins(
  app: FastifyInstance,
  plugins: ((app: FastifyInstance) => unknown) | undefined,
): Promise<void> {
  if (plugins === undefined) return;
  const add = Reflect.get(app, "addHook") as Callback;
  let isOver = false;
  // The instances that plugins are given inherit it.
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
  // After the hooks of plugins, which can give each route an `onSend`.
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

/** An `onSend` that is passed by for an error in place of the answer that it, or another, has failed to send. */
function unlessUnsendable(own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given): unknown {
    const [, reply, payload, done] = given;
    if (!isUnsendable(reply as FastifyReply)) return Reflect.apply(own, this, given);
    return own.length > 3 ? (done as Callback)(null, payload) : Promise.resolve(payload);
  };
  return likewise(run, own);
}

/** The same function under a name. */
function named(code: string, own: Callback): Callback {
  const run: Callback = function (this: unknown, ...given) {
    const all = given.map((one) =>
      typeof one === "function" ? runOutsideCustomCode(one as Callback) : one,
    );
    return runCustomNow(code, () => Reflect.apply(own, this, all));
  };
  return likewise(run, own);
}

/** Fastify tells by the length and by `async` whether a function has a callback, and refuses both at once. */
function likewise(run: Callback, own: Callback): Callback {
  const isAsync = own.constructor.name === "AsyncFunction";
  const same: Callback = isAsync
    ? async function (this: unknown, ...given) {
        return Reflect.apply(run, this, given);
      }
    : run;
  return Object.defineProperty(same, "length", { value: own.length });
}
