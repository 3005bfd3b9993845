import { createHash, createHmac } from "node:crypto";

/** SHA-256 of a text (as UTF-8), in lower-case hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** HMAC-SHA256 of a text (as UTF-8), in lower-case hexadecimal: only who knows the key can make it. */
export function hmacSha256(key: Uint8Array, text: string): string {
  return createHmac("sha256", key).update(text, "utf8").digest("hex");
}

/** The digest of a package as npm writes it in package-lock.json. */
export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}
