import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const TAKEN_OVER = /^[A-Za-z0-9._-]{1,64}$/;
const PREFIX_BYTES = 9;

/** Names a request: by its own `X-Request-Id` where that is harmless, else by one that no other process gives. */
export type RequestIds = (request?: IncomingMessage) => string;

/** Request identifiers of one process. */
export function requestIdSource(): RequestIds {
  const prefix = randomBytes(PREFIX_BYTES).toString("base64url");
  let given = 0;
  return (request) => {
    const sent = request?.headers["x-request-id"];
    if (typeof sent === "string" && TAKEN_OVER.test(sent)) return sent;
    given += 1;
    return `${prefix}-${given.toString(36)}`;
  };
}
