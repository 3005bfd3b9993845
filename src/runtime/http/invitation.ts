import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Tells a client that waits for it (`Expect: 100-continue`, RFC 9110, 10.1.1) to send its body, when something begins to read
 * that: nothing has refused the request then. An answer before that is the last one of its connection, since what such a
 * client sends next could be either.
 */
export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
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
