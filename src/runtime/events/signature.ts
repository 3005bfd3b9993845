import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const [LEAST_BYTES, MOST_BYTES] = [24, 64];

/** The headers by which a receiver knows that an event is of this service: Standard Webhooks 1.0. */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  seconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}

/** Throws where a secret is not one. It is not shown. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
  if (key.length >= LEAST_BYTES && key.length <= MOST_BYTES) return key;
  throw new Error(`A secret is not ${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64.`);
}
