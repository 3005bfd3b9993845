import { hash } from "node:crypto";

import { malformedRequest } from "../base/errors.js";

/** Visible ASCII, in quotes as the structured header that the RFC draft makes of it, or bare as most clients send it. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x7e]{1,255}$/;

/** The key that an `Idempotency-Key` header holds, without its quotes (OPS-12). Throws 400; two headers are one with a blank in it. */
export function parseIdempotencyKey(header: string): string {
  const quoted = QUOTED.exec(header)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, "$1");
  if (BARE.test(header)) return header;
  throw malformedRequest(
    "An Idempotency-Key is 1 to 255 visible ASCII characters without blanks, sent once.",
  );
}

/** Stands for texts or bytes in the database: 256 bits, of which no two are ever the same. */
export function digest(content: string | Uint8Array): string {
  // Without an object to be collected: that costs more than the hashing.
  return hash("sha256", content, "base64url");
}
