import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import type { Connections } from "./connections.js";

/**
 * Reads a request that asks for another protocol as if it did not, which is what a server may do (RFC 9110, 7.8). Node
 * would answer it as well, but drop the requests that have come behind it.
 */
export function ignoreUpgrades(server: Server, connections: Connections): void {
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
