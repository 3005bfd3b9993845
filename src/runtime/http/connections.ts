import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Socket, Server as SocketServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";

/** Begins to answer a request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests that wait on one connection; a client sends again what is behind the last answer (RFC 9112, 9.3.2). */
const MOST_WAITING = 32;

interface WaitingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
}

/** One connection: the request that is being answered, and those behind it, which begin one after the other. */
class Connection {
  /** The answer that is being made or sent, or was sent last. */
  current: ServerResponse | null = null;
  /** The answer to the request that arrived last. */
  latest: ServerResponse | null = null;
  /** The answer that says that it is the last one; it may be followed by others until it has been begun. */
  private last: ServerResponse | null = null;
  /** Its last request has arrived: what follows is dropped. */
  private isFull = false;
  private readonly waiting: WaitingRequest[] = [];

  constructor(
    private readonly socket: Socket,
    private isEnding: boolean,
  ) {}

  /** True when every request that has arrived whole is answered, and the answers have left. */
  get isIdle(): boolean {
    return this.latest === null || this.latest.writableFinished;
  }

  /** Answers a request now, or once the answers before it have left: an answer that nobody reads holds back the next. */
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

  /** The next answer, or the last of those that are due, says that it is the last one of this connection. */
  finishUp(): void {
    this.isEnding = true;
    if (!this.isIdle && this.latest !== null) this.endWith(this.latest);
  }

  /** Goes on when the answer that is being made has left; where others wait behind it, they are the last ones. */
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

  /** Says that nothing more follows; a request that comes all the same is not carried out, so that it can be sent again. */
  end(): void {
    this.isFull = true;
    this.socket.end();
  }

  /** Closes the connection at once. */
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
    // What has been read is parsed to its end; then no more is read.
    process.nextTick(() => {
      if (this.waiting.length > 0) this.socket.pause();
    });
  }

  /** Too late where its head has been sent: then the connection is ended when it is idle. */
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
      // Nobody is there any more: what waited is not carried out.
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

/** The connections of a server. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private isEnding = false;
  /** How many there have been. */
  accepted = 0;

  constructor(server: Server) {
    server.on("connection", (socket) => {
      // A request to upgrade makes Node begin anew with the same one.
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

  /** Each connection, also one that is still to come, ends after its next answer. */
  finishUp(): void {
    this.isEnding = true;
    for (const connection of this.all) connection.finishUp();
  }

  /** Undefined once it is closed. */
  of(socket: Socket): Connection | undefined {
    return this.open.get(socket);
  }
}

/** A client that has a connection open may send on it for so long before it is told that nothing more is answered. */
const GRACE_MILLISECONDS = 500;
/** How long a client has to close a connection that has been ended. */
const LINGER_MILLISECONDS = 1000;
const CHECK_MILLISECONDS = 20;
/** A turn that takes longer is not quiet; under load none is. */
const QUIET_MILLISECONDS = 1;
const PATIENCE_MILLISECONDS = 100;
/** Connections wait to be accepted, of which there is one a turn. */
const MOST_MILLISECONDS = 4000;

/** Stops a server: answers what has been sent to it, and tells its clients to go elsewhere. */
export async function drain(server: Server, connections: Connections): Promise<void> {
  // First, so that whoever is told to go finds no door to come back through.
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

/** What the operating system has accepted for the service is served. The server's own `close` would also cut connections that are kept, on which a request may be on its way. */
async function stopListening(server: Server, connections: Connections): Promise<void> {
  await quietTurn(connections);
  if (server.listening) SocketServer.prototype.close.call(server);
}

/**
 * Resolves in a turn of the event loop in which hardly anything can have arrived that it has not seen: one that began a
 * moment ago, under load any in which nobody came, and after a while any at all.
 */
async function quietTurn(connections: Connections): Promise<void> {
  // The rest of this turn sees nothing new.
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
