import { sha256 } from "../files/hash.js";

/** SHA-256 of a text with LF line ends, so that a CRLF checkout counts as unchanged. */
export function textHash(text: string): string {
  return sha256(text.includes("\r") ? text.replaceAll("\r\n", "\n") : text);
}
