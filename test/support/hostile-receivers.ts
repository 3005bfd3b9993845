import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** What a receiver of webhooks does with a connection that has sent a request. */
export type Behaviour = (socket: Socket) => void;

/** A receiver on loopback that speaks bytes instead of HTTP. */
export interface HostileReceiver {
  readonly url: string;
  /** Connections that are open now, and the most that were. */
  readonly connections: { readonly open: number; readonly most: number };
  /** Bytes of each request, without those that come on a connection that it has answered. */
  readonly requests: string[];
  behave: Behaviour;
  close(): void;
}

/** Starts a receiver that does this with each request. */
export async function hostileReceiver(behaviour: Behaviour): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      if (!bytes.toString("latin1").startsWith("POST ")) return;
      requests.push(bytes.toString("latin1"));
      receiver.behave(socket);
    });
  });
  const receiver = {
    url: "",
    get connections() {
      return { open: sockets.size, most };
    },
    requests,
    behave: behaviour,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  // A test that fails does not keep its process.
  server.unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, never on a socket file.
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  return receiver;
}

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
const LARGE = "x".repeat(65_536);
const CHUNK = `10000\r\n${LARGE}\r\n`;

/** Sends a text. */
const says =
  (text: string): Behaviour =>
  (socket) =>
    void socket.write(text, "latin1");

/** Sends a text, and the end of the connection. */
const ends =
  (text: string): Behaviour =>
  (socket) =>
    void socket.end(text, "latin1");

/** Sends a text, and then another one ten times a second, for ever. */
const drips =
  (head: string, part: string): Behaviour =>
  (socket) => {
    socket.write(head, "latin1");
    const timer = setInterval(() => socket.write(part, "latin1"), 100);
    socket.on("close", () => clearInterval(timer));
  };

/** Sends a text, and then another one as fast as the connection takes it, for ever. */
const floods =
  (head: string, part: string): Behaviour =>
  (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(part, "latin1"));
    };
    socket.write(head, "latin1");
    socket.on("drain", more);
    more();
  };

/** Each receiver, and what becomes of an event that it is sent: a refusal names what the log says of it. */
export const HOSTILE_RECEIVERS: readonly (readonly [
  name: string,
  behaviour: Behaviour,
  outcome: "accepted" | RegExp,
])[] = [
  ["204", says("HTTP/1.1 204 No Content\r\n\r\n"), "accepted"],
  ["200 with a short body", says(`${OK}Content-Length: 2\r\n\r\nok`), "accepted"],
  ["200 in HTTP/1.0", ends("HTTP/1.0 200 OK\r\n\r\nok"), "accepted"],
  ["202 after 103", says(`HTTP/1.1 103 x\r\n\r\n${OK}Content-Length: 0\r\n\r\n`), "accepted"],
  [
    "204 after 8 interim responses",
    says(`${"HTTP/1.1 102 x\r\n\r\n".repeat(8)}HTTP/1.1 204 x\r\n\r\n`),
    "accepted",
  ],
  ["200 with endless chunks", floods(OK + CHUNKED, CHUNK), "accepted"],
  ["200 with an endless body", floods(`${OK}\r\n`, LARGE), "accepted"],
  [
    "200 with endless extensions of chunks",
    floods(OK + CHUNKED, `1;a=${"x".repeat(8000)}\r\nx\r\n`),
    "accepted",
  ],
  [
    "200 with endless trailers",
    floods(`${OK}${CHUNKED}0\r\n`, `x: ${"x".repeat(8000)}\r\n`),
    "accepted",
  ],
  ["200 with a body that drips", drips(`${OK}Content-Length: 100000\r\n\r\n`, "x"), "accepted"],
  ["200 with chunks that drip", drips(OK + CHUNKED, "1\r\nx\r\n"), "accepted"],
  ["200 with a body that does not come", says(`${OK}Content-Length: 100000\r\n\r\n`), "accepted"],
  ["200 with a body that breaks off", ends(`${OK}Content-Length: 100000\r\n\r\nx`), "accepted"],
  ["200 with a chunk of a wrong size", says(`${OK}${CHUNKED}zz\r\n`), "accepted"],
  [
    "200 with a body that expands",
    (socket) => {
      const body = gzipSync("x".repeat(10_000_000));
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    },
    "accepted",
  ],
  ["204 with a body", says(`HTTP/1.1 204 x\r\nContent-Length: 4\r\n\r\nbody`), "accepted"],
  ["two responses to one request", says(`${OK}Content-Length: 0\r\n\r\n`.repeat(2)), "accepted"],
  ["299", says("HTTP/1.1 299 x\r\nContent-Length: 0\r\n\r\n"), "accepted"],
  ["101 to h2c", says("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"), /closed/],
  [
    "101 to a websocket that floods",
    floods("HTTP/1.1 101 x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", LARGE),
    /closed/,
  ],
  ["101 without an upgrade", says("HTTP/1.1 101 x\r\n\r\n"), /answered with 101/],
  ["endless 100", floods("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100)), /interim/],
  [
    "endless 103 with large headers",
    floods("", `HTTP/1.1 103 x\r\nlink: ${"x".repeat(8000)}\r\n\r\n`),
    /interim/,
  ],
  ["102 that drips", drips("", "HTTP/1.1 102 x\r\n\r\n"), /interim/],
  ["100 and an end", ends("HTTP/1.1 100 x\r\n\r\n"), /hang up|closed/],
  ["silence", () => undefined, /No response in 15000 ms/],
  ["an end", (socket) => void socket.end(), /hang up/],
  ["a reset", (socket) => void socket.resetAndDestroy(), /ECONNRESET|hang up/],
  ["a header that drips", drips(`${OK}a: `, "x"), /No response in 15000 ms/],
  ["headers that flood", floods(OK, `a: ${"x".repeat(1000)}\r\n`), /Header overflow/i],
  ["no HTTP", says("hello\r\n\r\n"), /Parse Error/],
  ["frames of HTTP/2", says("\0\0\0\x04\0\0\0\0\0"), /Parse Error/],
  ["an alert of TLS", says("\x15\x03\x01\0\x02\x02\x46"), /Parse Error/],
  ["two lengths", says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`), /Parse Error/],
  ["a length and chunks", says(`${OK}Content-Length: 1\r\n${CHUNKED}`), /Parse Error/],
  ["a status of four digits", says("HTTP/1.1 2000 OK\r\n\r\n"), /Parse Error/],
  ["600", says("HTTP/1.1 600 x\r\nContent-Length: 0\r\n\r\n"), /answered with 600/],
  [
    "302",
    says("HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
    /answered with 302/,
  ],
  ["304", says("HTTP/1.1 304 x\r\n\r\n"), /answered with 304/],
  [
    "401",
    says('HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'),
    /answered with 401/,
  ],
  ["500 with an endless body", floods(`HTTP/1.1 500 x\r\n${CHUNKED}`, CHUNK), /answered with 500/],
  [
    "500 with a body that drips",
    drips("HTTP/1.1 500 x\r\nContent-Length: 100000\r\n\r\n", "x"),
    /answered with 500/,
  ],
];
