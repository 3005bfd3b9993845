import type { IncomingMessage, ServerResponse } from "node:http";

import type { Answer } from "./connections.js";

/** How long a client may take to read its answer before the connection is closed that it goes on sending on. */
const LINGER_MILLISECONDS = 1000;
/** A client that has sent a body that is somewhat too large goes on with its connection. */
const LEAST_BYTES = 8 * 1024 * 1024;

/**
 * Drops what still comes of a body when its request has been answered, so that the next request can follow. Where more than
 * 8 MiB come, or more than a body may have where that is more (`mostBytes`), the connection is closed (LIM-1).
 */
export function unreadBodyBound(mostBytes: number): Answer {
  // The same for all answers, each of which finishes once: one of its own would cost every request something.
  function onFinish(this: ServerResponse): void {
    if (!this.req.complete) drop(this.req, Math.max(mostBytes, LEAST_BYTES));
  }
  return ({ headers }, response) => {
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined)
      return;
    // Before Node's own listener, which would drop all that comes and tell nobody.
    response.prependListener("finish", onFinish);
  };
}

function drop(request: IncomingMessage, mostBytes: number): void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= mostBytes) return;
    request.off("data", count).pause();
    // Closed at once, with bytes unread, the connection would be reset and the answer lost (RFC 9112, 9.6).
    setTimeout(() => request.socket.destroy(), LINGER_MILLISECONDS);
  };
  request.on("data", count);
  // From here on Node takes it as read.
  request.read(0);
}
