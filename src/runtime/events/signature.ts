import { createHmac } from "node:crypto";

const PREFIX = "whsec_";
const [LEAST_BYTES, MOST_BYTES] = [24, 64];
/** The form of a secret, in words. */
export const SECRET_FORM = `${PREFIX} and ${LEAST_BYTES} to ${MOST_BYTES} bytes in base64 with + and /`;

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

/** Whether a text can be a secret. Libraries of consumers read only base64 as RFC 4648, section 4, writes it. */
export function isSecret(secret: string): boolean {
  const key = keyOf(secret);
  const isExact = PREFIX + key.toString("base64") === secret;
  return isExact && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "", "base64");
}
