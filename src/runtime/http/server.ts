import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

import type { Authentication } from "../auth/authentication.js";
import {
  ApiError,
  StartRefusal,
  expectationFailed,
  malformedRequest,
  notImplemented,
  serviceUnavailable,
} from "../base/errors.js";
import { Admission } from "./admission.js";
import { Bodies, unreadBodyBound } from "./body.js";
import { Connections, type Answer, drain } from "./connections.js";
import { allowOrigin, originHeaders } from "./cors.js";
import { Endpoint, type EndpointOptions } from "./endpoint.js";
import { Refusals } from "./error-responses.js";
import { isHealthTarget } from "./health.js";
import { errorSerializer, loggedMessage, LogOutput, type LoggerOptions } from "./log.js";
import { CallerLimit, countCaller } from "./rate-limit.js";
import { requestIdSource, originForm, guardRequest } from "./request.js";
import { UnreadAnswers } from "./response.js";
import {
  METHODS_WITHOUT_BODY,
  type Method,
  type HttpRoute,
  allowedMethods,
  RouteTable,
  pathOf,
} from "./routes.js";
import type { ServiceRuntime, ServiceSettings } from "./settings.js";
import { answerPlain, ClientErrors, type ClientErrorOptions } from "./socket-errors.js";
import { USE_MILLISECONDS, VersionUse } from "./version-use.js";

const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** What the HTTP side needs to know of where it runs. */
interface TransportOptions {
  readonly logLevel?: string;
  /** Each of which adds the address of who called it to `X-Forwarded-For`. */
  readonly trustedProxies?: number;
  /** Options of the log, but for its level and where it goes. */
  readonly logger?: LoggerOptions;
}

/** The HTTP side of a service: Fastify carries requests, the runtime decides about them. */
export class HttpTransport {
  readonly app: FastifyInstance;
  private routes: RouteTable;
  private server: HttpServer | undefined;
  private readonly bodies: Bodies;
  /** The large answers on their way. */
  private readonly unread: UnreadAnswers;
  private readonly output = new LogOutput((dropped) => {
    this.app.log.warn({ dropped }, "lines of the log were dropped: they could not be written");
  });
  /** Who counts callers, and how they are known; null where nobody does. */
  private callers: Callers | null = null;
  private readonly refusals: Refusals;
  private readonly versions: VersionUse;
  private readonly admission: Admission;

  constructor(
    private readonly settings: ServiceSettings,
    { logLevel = "silent", trustedProxies = 0, logger = {} }: TransportOptions,
  ) {
    this.routes = new RouteTable([], settings);
    this.bodies = new Bodies(settings.limits);
    this.unread = new UnreadAnswers(settings.limits.sendingBytes);
    this.admission = new Admission(settings.limits, (refused) =>
      this.app.log.warn({ refused }, "overloaded: requests were refused"),
    );
    this.versions = new VersionUse(settings.basePath, settings.versions);
    this.app = this.createApp(logLevel, trustedProxies, logger);
    this.refusals = new Refusals(settings, this.app.log);
    this.app.setErrorHandler((error, _request, reply) => this.refusals.sendAny(reply, error));
    this.tellUse();
  }

  /** VER-4: who still calls an old version is seen in the log, every hour and at the stop. */
  private tellUse(): void {
    const { app } = this;
    const tell = (): void => {
      const versions = this.versions.take();
      if (versions !== null) app.log.info({ versions }, "requests by version");
    };
    const timer = setInterval(tell, USE_MILLISECONDS).unref();
    app.addHook("onClose", (_app, done) => {
      clearInterval(timer);
      tell();
      done();
    });
  }

  /** Makes the routes known to Fastify, behind the plugins that it has; `baseUrl` is asked for when an answer needs it. */
  serve(
    routes: readonly HttpRoute[],
    runtime: ServiceRuntime,
    { baseUrl, answers }: Pick<EndpointOptions, "baseUrl" | "answers">,
  ): void {
    this.app.addHook("onRequest", this.onRequest);
    this.app.setNotFoundHandler((request, reply) => this.refuseUnrouted(request, reply));
    this.takeBodies();
    this.routes = new RouteTable(routes, this.settings);
    const { admission, unread } = this;
    const { send: refuse, sendPlain: fail } = this.refusals;
    const callerLimit = this.callerLimit(runtime);
    if (callerLimit !== null) {
      this.callers = { authentication: runtime.authentication, limit: callerLimit };
    }
    const sending = { baseUrl, unread, fail };
    const shared = { runtime, ...sending, refuse, admission, callerLimit, answers };
    for (const route of routes) {
      const endpoints = endpointsOf(route, shared);
      this.routeWithoutBody(route, endpoints);
      this.routeWithBody(route, endpoints);
    }
  }

  /**
   * Makes a route of every path that has none. Some plugins, such as limiters, do their work for routes alone. Throws
   * `StartRefusal`.
   */
  refuseByRoute(): void {
    const { app } = this;
    app.route({
      method: unroutedMethods(app),
      url: "*",
      // After the plugins, and before a body is read.
      preParsing: (request, reply) => this.refuseUnrouted(request, reply),
      handler: (request, reply) => this.refuseUnrouted(request, reply),
    });
  }

  /** LIM-2; null: callers are not counted. */
  private callerLimit({ elapsed }: ServiceRuntime): CallerLimit | null {
    const { requestsPerMinute } = this.settings.limits;
    return requestsPerMinute === null ? null : new CallerLimit(requestsPerMinute, elapsed);
  }

  /** Answers what has been sent, and takes nothing more. */
  async drain(): Promise<void> {
    await this.server?.drain();
  }

  /** Resolves when the log has been written. */
  async flushLog(): Promise<void> {
    await this.output.flush();
  }

  private createApp(
    logLevel: string,
    trustedProxies: number,
    logger: LoggerOptions,
  ): FastifyInstance {
    const { admission } = this;
    const { limits, pretty, cors } = this.settings;
    const requestIds = requestIdSource();
    const log = (fields: object, message: string): void => this.app.log.debug(fields, message);
    const warn = (fields: object, message: string): void => this.app.log.warn(fields, message);
    return fastify({
      logger: {
        ...logger,
        serializers: {
          [logger.messageKey ?? "msg"]: loggedMessage,
          ...logger.serializers,
          err: errorSerializer(logger.serializers?.err),
        },
        level: logLevel,
        stream: this.output,
      },
      logController: new RequestLog(),
      serverFactory: (handler) => {
        const { versions } = this;
        const shared = { limits, pretty, requestIds, log, warn, admission, versions };
        const headersOf = (origin?: string) =>
          cors === undefined ? {} : originHeaders(cors, origin);
        this.server = new HttpServer(handler, { ...shared, originHeaders: headersOf });
        return this.server.server;
      },
      clientErrorHandler: (error, socket) => this.server?.clientErrors.onClientError(error, socket),
      genReqId: requestIds,
      // What a client says of its address counts only where a proxy has said it.
      trustProxy: trustedProxies > 0 && ((_address: string, hop: number) => hop < trustedProxies),
      bodyLimit: limits.bodyBytes,
      // Fastify would answer in a form of its own; a connection that is in use may finish what it began.
      return503OnClosing: false,
      routerOptions: { maxParamLength: limits.urlBytes },
      frameworkErrors: (_error, request, reply) => this.refuseUnrouted(request, reply),
      allowErrorHandlerOverride: false,
    });
  }

  /** Methods share what can be shared: a service starts the faster the fewer routes Fastify has to know. */
  private routeWithoutBody(route: HttpRoute, endpoints: Endpoints): void {
    const allow = allowedMethods(route).join(", ");
    this.app.route({
      method: ["OPTIONS", ...methodsToRoute(route, METHODS_WITHOUT_BODY)],
      url: urlOf(route),
      handler: (request, reply) => {
        const endpoint = endpoints.get(request.method);
        if (endpoint !== undefined) endpoint.serve(request, reply);
        else if (request.method === "OPTIONS") {
          this.counted(request, reply, () => void reply.code(204).header("allow", allow).send());
        } else this.refuseUnrouted(request, reply);
      },
    });
  }

  private routeWithBody(route: HttpRoute, endpoints: Endpoints): void {
    const method = methodsToRoute(route, METHODS_WITH_BODY);
    if (method.length === 0) return;
    this.app.route({
      method,
      url: urlOf(route),
      // After the hooks of plugins, and before a body is read.
      preParsing: (request, reply, _payload, next) => {
        const endpoint = endpoints.get(request.method);
        if (endpoint === undefined) this.refuseUnrouted(request, reply);
        else endpoint.admit(request, reply, next);
      },
      handler: (request, reply) => endpoints.get(request.method)?.serveBody(request, reply),
    });
  }

  /** Bodies are bytes: what they mean is the contract's business. */
  private takeBodies(): void {
    const { app } = this;
    app.removeAllContentTypeParsers();
    const types = ["application/json", "application/merge-patch+json", "*"];
    app.addContentTypeParser(types, (request, payload, done) =>
      this.bodies.receive(request, payload, done),
    );
    // A body that comes with these is dropped unread.
    for (const method of ["DELETE", "OPTIONS"])
      app.addHttpMethod(method, { overrideExisting: true });
  }

  private readonly onRequest = (
    request: FastifyRequest,
    reply: FastifyReply,
    next: () => void,
  ): void => {
    const { cors } = this.settings;
    if (cors !== undefined && allowOrigin(cors, request, reply)) return;
    if (request.is404) {
      this.refuseUnrouted(request, reply);
      return;
    }
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    next();
  };

  private refuseUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const { raw, method, id } = request;
    const refusal = this.routes.refusal(method, raw.url ?? "", id);
    this.counted(request, reply, () => this.refusals.send(reply, refusal));
  }

  /** LIM-2: also what reaches no handler counts, whoever it is from. */
  private counted(request: FastifyRequest, reply: FastifyReply, answer: () => void): void {
    const { callers } = this;
    if (callers === null) {
      answer();
      return;
    }
    countCaller(request, callers.authentication, callers.limit).then(answer, (error: unknown) => {
      if (error instanceof ApiError && error.status === 429) this.refusals.send(reply, error);
      else answer();
    });
  }
}

/** How callers are known and counted (LIM-2). */
interface Callers {
  readonly authentication: Authentication;
  readonly limit: CallerLimit;
}

/** By method; HEAD is GET's. */
type Endpoints = ReadonlyMap<string, Endpoint>;

function endpointsOf(route: HttpRoute, options: EndpointOptions): Endpoints {
  const endpoints = new Map<string, Endpoint>();
  for (const method of [...METHODS_WITHOUT_BODY, ...METHODS_WITH_BODY]) {
    const handler = route.handlers[method];
    if (handler === undefined) continue;
    const endpoint = new Endpoint(route, [method, handler], options);
    endpoints.set(method, endpoint);
    if (method === "GET") endpoints.set("HEAD", endpoint);
  }
  return endpoints;
}

/** Under a collection, a name without an identifier must not fall through to the path of an entity (OPS-7). */
function methodsToRoute({ handlers, entityType }: HttpRoute, methods: readonly Method[]): string[] {
  const routed = methods.filter((method) => entityType === null || handlers[method] !== undefined);
  return handlers.GET !== undefined && routed.includes("GET") ? ["HEAD", ...routed] : routed;
}

function urlOf({ path, entityType, rest }: HttpRoute): string {
  return entityType === null ? path : `${path}/:id${rest}`;
}

/** The methods that no plugin answers on every path. Throws `StartRefusal` where one answers OPTIONS, which every route has. */
function unroutedMethods(app: FastifyInstance): string[] {
  const methods = app.supportedMethods.filter((method) => !app.hasRoute({ method, url: "/*" }));
  if (methods.includes("OPTIONS")) return methods;
  throw new StartRefusal(
    "A plugin of src/app.ts answers OPTIONS on every path, as @fastify/cors does. Leave it out: `cors: { origins: [...] }` in service.yaml lets web pages call the service.",
  );
}

/** One line a request, at level debug: never a query, a header or a body, which may hold what nobody should read. */
class RequestLog extends fastify.LogController {
  constructor() {
    super({ disableRequestLogging: true, requestIdLogLabel: "requestId" });
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { raw, method } = request;
    const ms = Math.round(reply.elapsedTime * 100) / 100;
    const line = { method, path: pathOf(raw.url ?? ""), status: reply.statusCode, ms };
    // The logger of the request adds its id.
    request.log.debug(line, "request");
  }
}

const HEADER_SLACK_BYTES = 1024;
/** Longer than load balancers keep a connection, so that they are the ones to close it. */
const KEEP_ALIVE_MILLISECONDS = 72_000;
const HEADERS_MILLISECONDS = 10_000;
const CHECK_MILLISECONDS = 1000;
const RETRY_AFTER_SECONDS = 1;
const EVERY_METHOD = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";

/** Node's HTTP server with every limit on, and everything that it would answer by itself answered in JSON (ERR-1). */
class HttpServer {
  readonly server: Server;
  readonly clientErrors: ClientErrors;
  readonly connections: Connections;

  constructor(
    private readonly handler: Answer,
    private readonly options: ClientErrorOptions,
  ) {
    const { urlBytes, headerBytes, requestSeconds } = options.limits;
    const requestTimeout = requestSeconds * 1000;
    this.server = createServer({
      requireHostHeader: false,
      maxHeaderSize: urlBytes + headerBytes + HEADER_SLACK_BYTES,
      requestTimeout,
      headersTimeout: Math.min(requestTimeout, HEADERS_MILLISECONDS),
      connectionsCheckingInterval: Math.min(requestTimeout, CHECK_MILLISECONDS),
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    });
    this.connections = new Connections(this.server);
    this.clientErrors = new ClientErrors(options, this.connections);
    // None is dropped unseen: their bytes are counted on arrival.
    this.server.maxHeadersCount = 0;
    // Nothing has moved for so long: there is no answer, or nobody reads it. A silent sender has had its 408 before, a check's
    // delay included.
    this.server.setTimeout(requestTimeout + 2 * CHECK_MILLISECONDS);
    this.listen();
  }

  private listen(): void {
    const { server, clientErrors } = this;
    server.on("connection", this.options.admission.connected);
    server.on("request", this.inTurn(this.onRequest));
    server.on("checkContinue", this.inTurn(this.onContinue));
    server.on("checkExpectation", this.inTurn(this.onExpectation));
    // Without a listener Node closes the connection without a word.
    server.on("connect", (_request: IncomingMessage, socket: Socket) => {
      const requestId = this.options.requestIds();
      clientErrors.refuse(socket, notImplemented("CONNECT", [], requestId), requestId);
    });
    ignoreUpgrades(server, this.connections);
    server.on("timeout", clientErrors.onTimeout);
  }

  /** Answers what has been sent, and takes nothing more. */
  async drain(): Promise<void> {
    await drain(this.server, this.connections);
  }

  /** The answers of one connection are made one after the other. */
  private inTurn(answer: Answer): Answer {
    const { limits, versions } = this.options;
    const boundUnreadBody = unreadBodyBound(limits.bodyBytes);
    return (request, response) => {
      versions.enter(originForm(request.url ?? ""), response);
      boundUnreadBody(request, response);
      this.connections.of(request.socket)?.take(request, response, answer);
    };
  }

  private readonly onRequest: Answer = (request, response) => {
    if (this.options.admission.refusesArrival() && !isHealthTarget(request.url ?? "")) {
      this.shed(request, response);
      return;
    }
    const refusal = guardRequest(request, this.options.limits);
    if (refusal !== null) this.refuse(request, response, refusal);
    else if (request.url === "*") this.answerAsterisk(request, response);
    else {
      request.url = originForm(request.url ?? "");
      this.handler(request, response);
    }
  };

  private readonly onExpectation: Answer = (request, response) => {
    this.refuse(request, response, expectationFailed());
  };

  /** Who may not send a body, or too large a one, is told before it is sent. */
  private readonly onContinue: Answer = (request, response) => {
    inviteBody(request, response);
    this.onRequest(request, response);
  };

  private answerAsterisk(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "OPTIONS") {
      this.refuse(request, response, malformedRequest("Only OPTIONS may ask for *."));
      return;
    }
    const requestId = this.options.requestIds(request);
    response.writeHead(204, { allow: EVERY_METHOD, "x-request-id": requestId });
    response.end();
  }

  /** 503 at the least cost: every one that is told so must cost far less than one that is served (LIM-2). */
  private shed(request: IncomingMessage, response: ServerResponse): void {
    const { admission, pretty, requestIds } = this.options;
    const requestId = requestIds(request);
    const error = serviceUnavailable(RETRY_AFTER_SECONDS, requestId);
    // To make a new connection would cost more.
    admission.refuseArrival(() => answerPlain(response, { error, requestId, pretty }, true));
  }

  private refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
    const { requestIds, pretty, log, originHeaders } = this.options;
    const requestId = requestIds(request);
    log({ requestId, method: request.method, status: error.status }, "request refused");
    const headers = originHeaders(request.headers.origin);
    answerPlain(response, { error, requestId, pretty, headers });
  }
}

/**
 * Tells a client that waits for it (`Expect: 100-continue`, RFC 9110, 10.1.1) to send its body, when something begins to read
 * that: nothing has refused the request then. An answer before that is the last one of its connection, since what such a
 * client sends next could be either.
 */
function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const invite = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", invite);
    // What comes after the answer is only dropped.
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  };
  request.on("newListener", invite);
}

/**
 * Reads a request that asks for another protocol as if it did not, which is what a server may do (RFC 9110, 7.8). Node
 * would answer it as well, but drop the requests that have come behind it.
 */
function ignoreUpgrades(server: Server, connections: Connections): void {
  server.on("upgrade", (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    // Code of the service's own knows the protocol.
    if (server.listenerCount("upgrade") > 1) return;
    const again = (): void => {
      if (!socket.writable) return;
      socket.unshift(Buffer.concat([headOf(request), rest]));
      server.emit("connection", socket);
    };
    connections.of(socket)?.whenAnswered(again);
  });
}

/** The head of a request as it came, without its `Upgrade`. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[index + 1] ?? ""}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
