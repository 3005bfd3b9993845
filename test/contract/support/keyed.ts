import { randomUUID } from "node:crypto";
import type { Answer, Client, Sent } from "./client.js";

/** A key that no other test uses. */
export function newKey(): string {
  return randomUUID();
}

/** A POST with an `Idempotency-Key` (OPS-12). */
export async function postKeyed(
  client: Client,
  path: string,
  key: string,
  body: Sent["body"],
): Promise<Answer> {
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  const headers = { ...type, "idempotency-key": key };
  return client.send("POST", path, { headers, ...(body !== undefined && { body }) });
}

/** What has to be the same whenever the same request is sent again. */
export function answerOf({ status, headers, text }: Answer) {
  return { status, location: headers.location, text };
}
