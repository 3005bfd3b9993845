import { connect, type Socket } from "node:net";

/** One request of a load. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  /** JSON, or null. */
  readonly body: string | null;
}

/** A bounded number of requests to one server on loopback. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly count: number;
  readonly request: (index: number) => LoadRequest;
  /** Receives the milliseconds between the end of each request and the end of its answer. */
  readonly onLatency?: (milliseconds: number) => void;
}

/** No answer takes longer than this, or the load has failed. */
const PATIENCE = 30_000;

/** Sends a load, each connection a request at a time. Throws for any answer but 200 and 201. */
export async function sendLoad(load: Load): Promise<string> {
  const { port, connections, count, request, onLatency } = load;
  let sent = 0;
  let last = "";
  const next = (): string | null => (sent < count ? requestText(request(sent++)) : null);
  const onAnswer = (answer: string, milliseconds: number): void => {
    last = answer;
    onLatency?.(milliseconds);
  };
  await Promise.all(
    Array.from({ length: Math.min(connections, count) }, () => converse(port, next, onAnswer)),
  );
  return last;
}

/** Sends `next()` after each answer until there is none; a bare socket costs the least beside the server. */
function converse(
  port: number,
  next: () => string | null,
  onAnswer: (body: string, milliseconds: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true).setTimeout(PATIENCE);
    let received = "";
    let asked = 0;
    const ask = (): void => {
      const text = next();
      asked = performance.now();
      if (text === null) socket.end(resolve);
      else socket.write(text);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("timeout", () => fail(socket, `no answer within ${PATIENCE} ms`));
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      const body = wholeBody(received);
      if (body === null) return;
      if (!/^HTTP\/1\.1 20[01] /.test(received)) return fail(socket, received.slice(0, 500));
      received = "";
      onAnswer(body, performance.now() - asked);
      ask();
    });
  });
}

function fail(socket: Socket, reason: string): void {
  socket.destroy(new Error(`the load was not answered as it should be: ${reason}`));
}

/** The body, once all of it is there; every server of the bench sends a Content-Length. */
function wholeBody(received: string): string | null {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`no Content-Length: ${received.slice(0, end)}`);
  return received.length >= end + 4 + Number(length) ? received.slice(end + 4) : null;
}

function requestText({ method, path, body }: LoadRequest): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n`;
  if (body === null) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}
