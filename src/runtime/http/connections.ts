import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** Begins the response to a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Maximum number of waiting requests on a connection. Later ones are dropped, so the client repeats them (RFC 9112, 9.3.2). */
const MOST_WAITING = 32;

interface WaitingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
}

/** One connection. Its requests run one after another. */
class Connection {
  /** The response in progress, or the last one sent. */
  current: ServerResponse | null = null;
  /** The response to the newest request. */
  latest: ServerResponse | null = null;
  /**
   * The response that will announce the end of the connection. A later response can take its place until the headers are sent.
   */
  private last: ServerResponse | null = null;
  /** True if no more requests are accepted. Later ones are dropped. */
  private isFull = false;
  private readonly waiting: WaitingRequest[] = [];

  constructor(
    private readonly socket: Socket,
    private isEnding: boolean,
  ) {}

  /** True if the responses to all accepted requests have been sent. */
  get isIdle(): boolean {
    return this.latest === null || this.latest.writableFinished;
  }

  /** Answers a request now, or after the responses before it. Drops it if the connection accepts no more requests. */
  take(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
    if (this.isFull || this.last?.headersSent === true) return;
    const isFirst = this.isIdle;
    const previous = this.latest;
    this.latest = response;
    if (this.isEnding) this.endWith(response);
    if (isFirst || previous === null) {
      this.current = response;
      answer(request, response);
    } else this.wait(previous, { request, response, answer });
  }

  /** Ends the connection with the last pending response, or with the next one. */
  finishUp(): void {
    this.isEnding = true;
    if (!this.isIdle && this.latest !== null) this.endWith(this.latest);
  }

  /** Calls `goOn` now, or after the current response. If more requests wait, the connection ends after them instead. */
  whenAnswered(goOn: () => void): void {
    const { latest } = this;
    if (latest === null || this.isIdle) goOn();
    else if (this.waiting.length === 0) latest.once("close", goOn);
    else {
      this.finishUp();
      this.isFull = true;
      latest.once("close", () => this.socket.end());
    }
  }

  /** Ends the connection. A request that still arrives is not executed, so the client can repeat it. */
  end(): void {
    this.isFull = true;
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private wait(previous: ServerResponse, request: WaitingRequest): void {
    this.waiting.push(request);
    if (this.waiting.length === MOST_WAITING) {
      request.response.shouldKeepAlive = false;
      this.isFull = true;
    }
    if (this.waiting.length > 1) return;
    previous.once("close", () => this.next(previous));
    // The parser still finishes the bytes that have been read; no more are read after that.
    process.nextTick(() => {
      if (this.waiting.length > 0) this.socket.pause();
    });
  }

  /** Announces the end in this response. Does nothing if its headers are sent: `drain` then ends the idle connection. */
  private endWith(response: ServerResponse): void {
    if (response.headersSent || !response.shouldKeepAlive) return;
    if (this.last !== null) this.last.shouldKeepAlive = true;
    this.last = response;
    response.shouldKeepAlive = false;
  }

  private next(previous: ServerResponse): void {
    const next = this.waiting.shift();
    if (next === undefined) return;
    if (!previous.writableFinished || !this.socket.writable) {
      // The connection has ended, so the waiting requests are not executed.
      this.waiting.length = 0;
      return;
    }
    const { request, response, answer } = next;
    if (this.waiting.length > 0) response.once("close", () => this.next(response));
    else this.socket.resume();
    this.current = response;
    answer(request, response);
  }
}

export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private isEnding = false;
  /** Number of connections so far. */
  accepted = 0;

  constructor(server: Server) {
    server.on("connection", (socket) => {
      // After a request to upgrade, the same connection is emitted again.
      if (this.open.has(socket)) return;
      this.accepted += 1;
      this.open.set(socket, new Connection(socket, this.isEnding));
      socket.once("close", () => this.open.delete(socket));
    });
  }

  get all(): Iterable<Connection> {
    return this.open.values();
  }

  get count(): number {
    return this.open.size;
  }

  /** Ends each connection, and each new one, after its pending responses or else after its next one. */
  finishUp(): void {
    this.isEnding = true;
    for (const connection of this.all) connection.finishUp();
  }

  /** Returns undefined if the connection is closed. */
  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }
}

/** Time in which clients may still send requests on an open connection before it is ended. */
const GRACE_MILLISECONDS = 500;
/** Time for a client to close a connection that has been ended. */
const LINGER_MILLISECONDS = 1000;
const CHECK_MILLISECONDS = 20;
/** Maximum duration of a quiet turn of the event loop. Under load, no turn is quiet. */
const QUIET_MILLISECONDS = 1;
const PATIENCE_MILLISECONDS = 100;
/** Time limit of the wait for a quiet turn while connections still arrive, because each turn accepts only one. */
const MOST_MILLISECONDS = 4000;

/** Stops a server: stops listening, answers the requests on open connections, and ends the connections. */
export async function drain(server: Server, connections: Connections): Promise<void> {
  // Stops listening first, so that clients cannot reconnect to this server.
  await stopListening(server, connections);
  connections.finishUp();
  const began = Date.now();
  let ended = false;
  while (connections.count > 0) {
    await pause(CHECK_MILLISECONDS);
    const elapsed = Date.now() - began;
    if (elapsed < GRACE_MILLISECONDS) continue;
    if (!ended) await quietTurn(connections);
    ended = true;
    const isOver = elapsed >= GRACE_MILLISECONDS + LINGER_MILLISECONDS;
    for (const connection of connections.all) {
      if (!connection.isIdle) continue;
      if (isOver) connection.destroy();
      else connection.end();
    }
  }
}

/**
 * Stops listening after accepting the waiting connections. The server's own `close` would also cut idle connections, on which a
 * request may be on its way.
 */
async function stopListening(server: Server, connections: Connections): Promise<void> {
  await quietTurn(connections);
  if (server.listening) SocketServer.prototype.close.call(server);
}

/**
 * Resolves when hardly any connection can be waiting unseen: after a short turn of the event loop without new connections, or
 * after a time limit.
 */
async function quietTurn(connections: Connections): Promise<void> {
  // The rest of the current turn sees no new connections.
  await nextTurn();
  const began = performance.now();
  let turn = began;
  for (;;) {
    const { accepted } = connections;
    await nextTurn();
    const now = performance.now();
    const patience = connections.accepted === accepted ? PATIENCE_MILLISECONDS : MOST_MILLISECONDS;
    const isQuiet = now - turn < QUIET_MILLISECONDS && connections.accepted === accepted;
    if (isQuiet || now - began > patience) return;
    turn = now;
  }
}
