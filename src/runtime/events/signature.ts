import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
/** What a secret is, in words. */
export const SECRET_FORM = `${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64`;

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

/** Whether a text can be a secret. */
export function isSecret(secret: string): boolean {
  const { length } = keyOf(secret);
  return length >= LEAST_BYTES && length <= MOST_BYTES;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
}
