import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

import {
  expectationFailed,
  malformedRequest,
  notImplemented,
  serviceUnavailable,
  type ApiError,
} from "../base/errors.js";
import { answerPlain, ClientErrors, type ClientErrorOptions } from "./client-errors.js";
import { Connections, type Answer } from "./connections.js";
import { drain } from "./drain.js";
import { isHealthTarget } from "./health.js";
import { originForm, guardRequest } from "./request-guard.js";
import { unreadBodyBound } from "./unread-body.js";

const HEADER_SLACK_BYTES = 1024;
/** Longer than load balancers keep a connection, so that they are the ones to close it. */
const KEEP_ALIVE_MILLISECONDS = 72_000;
const HEADERS_MILLISECONDS = 10_000;
const CHECK_MILLISECONDS = 1000;
const RETRY_AFTER_SECONDS = 1;
const EVERY_METHOD = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT";

/** Node's HTTP server with every limit on, and everything that it would answer by itself answered in JSON (ERR-1). */
export class HttpServer {
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
