/**
 * HTTP: Fastify on a Node server with limits. Start here: this file checks a request and gives it an id. endpoint.ts then
 * identifies the caller, receives the body (body.ts), waits for a turn (admission.ts), and runs the handler of a route
 * (routes.ts). response.ts sends the result, and error-responses.ts sends every error, also on sockets that sent no valid
 * request. `addCommonHeaders` in response.ts sets the headers of every response, and `headersOf` in error-responses.ts those of
 * errors without Fastify. Nothing here knows a resource. Only idempotency.ts and health.ts use the database.
 */
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
import { Refusals, sendPlain, ClientErrors, type ClientErrorOptions } from "./error-responses.js";
import { isHealthTarget } from "./health.js";
import { errorSerializer, loggedMessage, LogOutput, type LoggerOptions } from "./log.js";
import { CallerLimit, countCaller } from "./rate-limit.js";
import { requestIdSource, originForm, guardRequest } from "./request.js";
import { addCommonHeaders, UnreadResponses } from "./response.js";
import {
  METHODS_WITHOUT_BODY,
  type Method,
  type HttpRoute,
  allowedMethods,
  RouteTable,
  pathOf,
} from "./routes.js";
import type { ServiceRuntime, ServiceSettings } from "./settings.js";
import { USE_MILLISECONDS, VersionUsage } from "./deprecation.js";

const METHODS_WITH_BODY: readonly Method[] = ["POST", "PUT", "PATCH"];

/** The settings of one process for the HTTP layer. */
interface TransportOptions {
  readonly logLevel?: string;
  /** Number of proxies in front of the service. Each one adds the address of its client to `X-Forwarded-For`. */
  readonly trustedProxies?: number;
  /** Options of the log except its level and its output. */
  readonly logger?: LoggerOptions;
}

/** The HTTP layer of a service. Fastify carries the requests, and the runtime decides how to respond. */
export class HttpTransport {
  readonly app: FastifyInstance;
  private routes: RouteTable;
  private server: HttpServer | undefined;
  private readonly bodies: Bodies;
  /** The large responses in progress. */
  private readonly unread: UnreadResponses;
  private readonly output = new LogOutput((dropped) => {
    this.app.log.warn({ dropped }, "lines of the log were dropped: they could not be written");
  });
  /** Null if callers have no rate limit. */
  private callers: Callers | null = null;
  private readonly refusals: Refusals;
  private readonly versions: VersionUsage;
  private readonly admission: Admission;

  constructor(
    private readonly settings: ServiceSettings,
    { logLevel = "silent", trustedProxies = 0, logger = {} }: TransportOptions,
  ) {
    this.routes = new RouteTable([], settings);
    this.bodies = new Bodies(settings.limits);
    this.unread = new UnreadResponses(settings.limits.sendingBytes);
    this.admission = new Admission(settings.limits, (refused) =>
      this.app.log.warn({ refused }, "overloaded: requests were refused"),
    );
    this.versions = new VersionUsage(settings.basePath, settings.versions);
    this.app = this.createApp(logLevel, trustedProxies, logger);
    this.refusals = new Refusals(settings, this.app.log);
    this.app.setErrorHandler((error, _request, reply) => this.refusals.sendAny(reply, error));
    this.logVersionUsage();
  }

  /** Logs the number of requests by version, every hour and at the stop, to show the use of old versions (VER-4). */
  private logVersionUsage(): void {
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

  /** Adds the routes to Fastify after the plugins. `baseUrl` is called when a response needs it. */
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

  /** Adds a route for all other paths, because plugins such as rate limiters act only on routes. Throws `StartRefusal`. */
  refuseByRoute(): void {
    const { app } = this;
    app.route({
      method: unroutedMethods(app),
      url: "*",
      // Runs after the plugins and before the body is read.
      preParsing: (request, reply) => this.refuseUnrouted(request, reply),
      handler: (request, reply) => this.refuseUnrouted(request, reply),
    });
  }

  /** Returns null if callers have no rate limit (LIM-2). */
  private callerLimit({ elapsed }: ServiceRuntime): CallerLimit | null {
    const { requestsPerMinute } = this.settings.limits;
    return requestsPerMinute === null ? null : new CallerLimit(requestsPerMinute, elapsed);
  }

  /** Stops listening, answers the requests on open connections, and ends the connections. */
  async drain(): Promise<void> {
    await this.server?.drain();
  }

  /** Resolves when the log is written, or after a second. */
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
      // An address in `X-Forwarded-For` counts only if one of the trusted proxies added it.
      trustProxy: trustedProxies > 0 && ((_address: string, hop: number) => hop < trustedProxies),
      bodyLimit: limits.bodyBytes,
      // Fastify's own 503 has another form. A connection in use may finish its requests.
      return503OnClosing: false,
      routerOptions: { maxParamLength: limits.urlBytes },
      frameworkErrors: (_error, request, reply) => this.refuseUnrouted(request, reply),
      allowErrorHandlerOverride: false,
    });
  }

  /** Adds one route for all methods without a body, because fewer routes make the start faster. */
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
      // Runs after the hooks of plugins and before the body is read.
      preParsing: (request, reply, _payload, next) => {
        const endpoint = endpoints.get(request.method);
        if (endpoint === undefined) this.refuseUnrouted(request, reply);
        else endpoint.admit(request, reply, next);
      },
      handler: (request, reply) => endpoints.get(request.method)?.serveBody(request, reply),
    });
  }

  /** Receives all bodies as bytes; the endpoint parses them. */
  private takeBodies(): void {
    const { app } = this;
    app.removeAllContentTypeParsers();
    const types = ["application/json", "application/merge-patch+json", "*"];
    app.addContentTypeParser(types, (request, payload, done) =>
      this.bodies.receive(request, payload, done),
    );
    // A body of these methods is dropped unread.
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
    addCommonHeaders(reply);
    next();
  };

  private refuseUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const { raw, method, id } = request;
    const refusal = this.routes.refusal(method, raw.url ?? "", id);
    this.counted(request, reply, () => this.refusals.send(reply, refusal));
  }

  /** Counts a request that reaches no handler (LIM-2), and then answers it. */
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

/** The rate limit and the identification of callers (LIM-2). */
interface Callers {
  readonly authentication: Authentication;
  readonly limit: CallerLimit;
}

/** Endpoints by method. HEAD has the endpoint of GET. */
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

/** Returns the methods to route. A collection's path takes all, so that none falls through to an entity's path (OPS-7). */
function methodsToRoute({ handlers, entityType }: HttpRoute, methods: readonly Method[]): string[] {
  const routed = methods.filter((method) => entityType === null || handlers[method] !== undefined);
  return handlers.GET !== undefined && routed.includes("GET") ? ["HEAD", ...routed] : routed;
}

function urlOf({ path, entityType, rest }: HttpRoute): string {
  return entityType === null ? path : `${path}/:id${rest}`;
}

/** Returns the methods without a plugin's catch-all route. Throws `StartRefusal` if a plugin has one for OPTIONS. */
function unroutedMethods(app: FastifyInstance): string[] {
  const methods = app.supportedMethods.filter((method) => !app.hasRoute({ method, url: "/*" }));
  if (methods.includes("OPTIONS")) return methods;
  throw new StartRefusal(
    "A plugin of src/app.ts answers OPTIONS on every path, as @fastify/cors does. Leave it out: `cors: { origins: [...] }` in service.yaml lets web pages call the service.",
  );
}

/** Logs one line per request at level debug, without query, headers and body, which may hold secrets. */
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
    // The logger of the request adds the request id.
    request.log.debug(line, "request");
  }
}

const HEADER_SLACK_BYTES = 1024;
/** Longer than load balancers keep idle connections, so that the load balancers close them first. */
const KEEP_ALIVE_MILLISECONDS = 72_000;
const HEADERS_MILLISECONDS = 10_000;
const CHECK_MILLISECONDS = 1000;
const EVERY_METHOD = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";

/** Node's HTTP server with all limits set. Errors that Node would answer itself are sent in JSON (ERR-1). */
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
    // No limit, so that no header is dropped unseen: `guardRequest` counts the bytes of all headers.
    this.server.maxHeadersCount = 0;
    // Ends late responses, and clients that do not read. A silent sender has had its 408 before this timeout.
    this.server.setTimeout(requestTimeout + 2 * CHECK_MILLISECONDS);
    this.listen();
  }

  private listen(): void {
    const { server, clientErrors } = this;
    server.on("connection", this.options.admission.connected);
    server.on("request", this.inTurn(this.receive));
    server.on("checkContinue", this.inTurn(this.onContinue));
    server.on("checkExpectation", this.inTurn(this.onExpectation));
    // Without a listener, Node would close the connection silently.
    server.on("connect", (_request: IncomingMessage, socket: Socket) => {
      const requestId = this.options.requestIds();
      clientErrors.refuse(socket, notImplemented("CONNECT", [], requestId), requestId);
    });
    ignoreUpgrades(server, this.connections);
    server.on("timeout", clientErrors.onTimeout);
  }

  async drain(): Promise<void> {
    await drain(this.server, this.connections);
  }

  /** Answers the requests of one connection one after another. */
  private inTurn(answer: Answer): Answer {
    const { limits, versions } = this.options;
    const boundUnreadBody = unreadBodyBound(limits.bodyBytes);
    return (request, response) => {
      versions.enter(originForm(request.url ?? ""), response);
      boundUnreadBody(request, response);
      this.connections.of(request.socket)?.take(request, response, answer);
    };
  }

  private readonly receive: Answer = (request, response) => {
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

  /** Answers a request with `Expect: 100-continue`, whose client sends the body only if no check has refused the request. */
  private readonly onContinue: Answer = (request, response) => {
    inviteBody(request, response);
    this.receive(request, response);
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

  /** Sends 503 at minimal cost, which must be far below the cost of a normal response (LIM-2). */
  private shed(request: IncomingMessage, response: ServerResponse): void {
    const { admission, pretty, requestIds } = this.options;
    const requestId = requestIds(request);
    const error = serviceUnavailable(requestId);
    // Keeps the connection, because a new one would cost more.
    admission.refuseArrival(() => sendPlain(response, { error, requestId, pretty }, true));
  }

  private refuse(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
    const { requestIds, pretty, log, originHeaders } = this.options;
    const requestId = requestIds(request);
    log({ requestId, method: request.method, status: error.status }, "request refused");
    const headers = originHeaders(request.headers.origin);
    sendPlain(response, { error, requestId, pretty, headers });
  }
}

/**
 * Sends `100 Continue` when the body is first read, because no check has refused the request by then (RFC 9110, 10.1.1). An
 * earlier response closes the connection: the next bytes could be the body or a new request.
 */
function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const invite = (event: string | symbol): void => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", invite);
    // After the response, the body is read only to be dropped.
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  };
  request.on("newListener", invite);
}

/** Ignores the upgrade in a request (RFC 9110, 7.8). Node would do this too, but drop the requests behind it. */
function ignoreUpgrades(server: Server, connections: Connections): void {
  server.on("upgrade", (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    // Custom code handles the protocol.
    if (server.listenerCount("upgrade") > 1) return;
    const again = (): void => {
      if (!socket.writable) return;
      socket.unshift(Buffer.concat([headOf(request), rest]));
      server.emit("connection", socket);
    };
    connections.of(socket)?.whenAnswered(again);
  });
}

/** Rebuilds the head of a request without `Upgrade`. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[index + 1] ?? ""}`);
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
