import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
export class Connection {
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
