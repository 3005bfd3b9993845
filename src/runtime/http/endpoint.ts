import type { FastifyReply, FastifyRequest } from "fastify";

import { checkCaller, checkEntry, type AccessOperation, type CallerGrant } from "../auth/access.js";
import { NOBODY, type Caller } from "../auth/authentication.js";
import {
  entityNotFound,
  notAcceptable,
  pathNotFound,
  payloadTooLarge,
  serviceUnavailable,
} from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import { parseJsonObject, type JsonObject } from "../input/json.js";
import type { Admission, InFlightRequest } from "./admission.js";
import { sendReply, type SendOptions } from "./response.js";
import { type CallerLimit, countCaller } from "./rate-limit.js";
import type { Handler, HttpCall, HttpReply, Method, HttpRoute } from "./routes.js";
import { acceptsJson, checkBodyType } from "./body.js";
import { ReplyContext } from "./request.js";
import type { IdempotentRequests } from "./idempotency.js";
import type { ServiceRuntime } from "./settings.js";

type Answer = () => HttpReply | Promise<HttpReply>;

const NO_BODY: JsonObject = {};
const EMPTY = new Uint8Array(0);

/** The access operation of each method (AUT-2). */
const OPERATIONS: Readonly<Record<Method, AccessOperation>> = {
  GET: "read",
  POST: "create",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

/** Returns `update` for an action on an entity, otherwise the operation of the method (AUT-2). */
function operationOf({ action, entityType }: HttpRoute, method: Method): AccessOperation {
  return action !== undefined && entityType !== null ? "update" : OPERATIONS[method];
}

/** Dependencies that all endpoints of a service share. */
export interface EndpointOptions extends SendOptions {
  readonly runtime: ServiceRuntime;
  readonly refuse: (reply: FastifyReply, error: unknown) => void;
  readonly admission: Admission;
  /** Null if callers have no rate limit (LIM-2). */
  readonly callerLimit: CallerLimit | null;
  /** Null if no resource of the schemas has a POST: then no responses are stored (OPS-12). */
  readonly answers: IdempotentRequests | null;
}

/** One method of one route. Checks the request in the contract's order, calls the handler and sends the reply. */
export class Endpoint {
  private readonly handler: Handler;
  private readonly operation: AccessOperation;
  /** The grants of a custom route (AUT-2). Null if `route.access` decides. */
  private readonly grants: readonly CallerGrant[] | null;
  private readonly isBodyOptional: boolean;
  /** Null unless the method is a POST and responses are stored (OPS-12). */
  private readonly answers: IdempotentRequests | null;
  /** Callers of requests whose headers have passed and whose body is being received. */
  private readonly callers = new WeakMap<FastifyRequest, Caller>();

  constructor(
    private readonly route: HttpRoute,
    [method, handler]: readonly [Method, Handler],
    private readonly options: EndpointOptions,
  ) {
    this.handler = handler;
    this.operation = operationOf(route, method);
    this.grants = route.own === undefined ? null : (route.own[method]?.access ?? []);
    this.isBodyOptional = route.own?.[method]?.isBodyOptional ?? route.action?.hasInput === false;
    this.answers = method === "POST" ? options.answers : null;
  }

  /** Checks the head of a request before its body is read. */
  readonly admit = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const { refuse } = this.options;
    try {
      const known = this.enter(request);
      if (known instanceof Promise) {
        known
          .then((caller) => this.checkHead(request, caller))
          .then(next, (error: unknown) => refuse(reply, error));
        return;
      }
      this.checkHead(request, known);
    } catch (error) {
      refuse(reply, error);
      return;
    }
    next();
  };

  /** Answers a request after `admit` has accepted it and its body has arrived. */
  readonly serveBody = (request: FastifyRequest, reply: FastifyReply): void => {
    const sent = request.body instanceof Uint8Array ? request.body : EMPTY;
    const { runtime, admission } = this.options;
    const { limits } = runtime.settings;
    const caller = this.callers.get(request) ?? NOBODY;
    admission.observe();
    const answer: Answer = () => {
      const isEmpty = sent.length === 0 && this.isBodyOptional;
      const body = isEmpty ? NO_BODY : parseJsonObject(sent, limits);
      const call = this.callOf(reply, body, caller);
      const header = request.raw.headers["idempotency-key"];
      if (header === undefined || this.answers === null) return this.handler(call);
      const key = { header: String(header), path: call.path, body: sent };
      return this.answers.answer(key, call, this.handler);
    };
    this.run(reply, answer, sent.length);
  };

  /** Answers a request whose method has no body. */
  readonly serve = (request: FastifyRequest, reply: FastifyReply): void => {
    const { refuse } = this.options;
    try {
      const known = this.enter(request);
      if (known instanceof Promise) {
        known.then(
          (caller) => this.run(reply, () => this.answer(reply, caller)),
          (error: unknown) => refuse(reply, error),
        );
      } else this.run(reply, () => this.answer(reply, known));
    } catch (error) {
      refuse(reply, error);
    }
  };

  private answer(reply: FastifyReply, caller: Caller): HttpReply | Promise<HttpReply> {
    this.check(reply.request);
    return this.handler(this.callOf(reply, NO_BODY, caller));
  }

  /**
   * Authenticates the caller, counts the request (LIM-2), and checks that such a caller may use the method. All other checks
   * come later (AUT-1, AUT-2).
   */
  private enter(request: FastifyRequest): Caller | Promise<Caller> {
    const { raw } = request;
    const { callerLimit, runtime } = this.options;
    const isCounted = callerLimit !== null && this.route.isVital !== true;
    const known = isCounted
      ? countCaller(request, runtime.authentication, callerLimit)
      : runtime.authentication.callerOf(raw);
    return known instanceof Promise
      ? known.then((caller) => this.admitted(caller))
      : this.admitted(known);
  }

  private admitted(caller: Caller): Caller {
    const { access, entityType, rest, action } = this.route;
    const isAddressed = entityType !== null && (rest === "" || action !== undefined);
    if (this.grants === null) checkEntry(access, this.operation, isAddressed, caller);
    else checkCaller(this.grants, caller);
    return caller;
  }

  private checkHead(request: FastifyRequest, caller: Caller): void {
    this.check(request);
    this.checkBody(request);
    this.identifier(request);
    if (caller !== NOBODY) this.callers.set(request, caller);
  }

  /** Runs a request now, or queues it with its body if the process is busy (LIM-2). A full queue refuses the request. */
  private run(reply: FastifyReply, answer: Answer, bytes = 0): void {
    const { admission, refuse } = this.options;
    // An orchestrator would kill a busy service that does not answer its probes.
    if (this.route.isVital === true || admission.hasRoom) this.finish(reply, answer);
    else {
      admission.wait(
        bytes,
        () => {
          // Skipped if the client has disconnected.
          if (!reply.raw.destroyed) this.finish(reply, answer);
        },
        () => refuse(reply, serviceUnavailable(reply.request.id)),
      );
    }
  }

  /** Sends a synchronous reply without a promise, which would cost every request time. */
  private finish(reply: FastifyReply, answer: Answer): void {
    const { admission } = this.options;
    const isVital = this.route.isVital === true;
    const request = isVital ? null : admission.begin(reply.raw, reply.request.id);
    let given: HttpReply | Promise<HttpReply>;
    try {
      given = answer();
    } catch (error) {
      this.fail(reply, request, error);
      return;
    }
    if (given instanceof Promise) {
      given.then(
        (value) => this.send(reply, request, value),
        (error: unknown) => this.fail(reply, request, error),
      );
    } else this.send(reply, request, given);
  }

  private send(reply: FastifyReply, request: InFlightRequest | null, value: HttpReply): void {
    const { options } = this;
    if (request !== null) options.admission.end(request);
    try {
      sendReply(reply, value, options);
    } catch (error) {
      options.refuse(reply, error);
    }
  }

  private fail(reply: FastifyReply, request: InFlightRequest | null, error: unknown): void {
    const { admission, refuse } = this.options;
    if (request !== null) admission.end(request);
    refuse(reply, error);
  }

  private callOf(reply: FastifyReply, body: JsonObject, caller: Caller): HttpCall {
    const { runtime } = this.options;
    const { request } = reply;
    const target = request.raw.url ?? "";
    const mark = target.indexOf("?");
    const id = this.identifier(request);
    return {
      method: request.method,
      id,
      body,
      path: this.pathOf(id),
      search: mark < 0 ? "" : target.slice(mark + 1),
      headers: request.raw.headers,
      context: new ReplyContext(reply, caller, runtime),
      requestId: request.id,
    };
  }

  /** Returns the path without the query, and with the identifier in its stored form. */
  private pathOf(id: string): string {
    const { path, rest } = this.route;
    return id === "" ? path : `${path}/${id}${rest}`;
  }

  private check(request: FastifyRequest): void {
    if (this.route.isPage === true) return;
    if (!acceptsJson(request.raw.headers.accept)) throw notAcceptable();
  }

  private checkBody({ raw }: FastifyRequest): void {
    const { headers } = raw;
    const hasBody =
      headers["transfer-encoding"] !== undefined ||
      (headers["content-length"] !== undefined && headers["content-length"] !== "0");
    if (hasBody || headers["content-type"] !== undefined) {
      checkBodyType(raw.method ?? "", headers["content-type"], headers["content-encoding"]);
    }
    const limit = this.options.runtime.settings.limits.bodyBytes;
    if (Number(headers["content-length"] ?? 0) > limit) throw payloadTooLarge(limit);
  }

  /** Returns the identifier in the path. Throws 404 if the text is not a UUID (IDN-4). */
  private identifier({ raw }: FastifyRequest): string {
    const { path, entityType, rest } = this.route;
    if (entityType === null) return "";
    const target = raw.url ?? "";
    const mark = target.indexOf("?");
    const end = mark < 0 ? target.length : mark;
    const text = target.slice(path.length + 1, end - rest.length);
    const id = parseIdentifier(text);
    if (id !== null) return id;
    // Fastify matches a trailing slash as an empty identifier.
    throw text === "" ? pathNotFound(target) : entityNotFound(entityType, text);
  }
}
