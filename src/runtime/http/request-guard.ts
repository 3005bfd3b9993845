import type { IncomingMessage } from "node:http";

import { headersTooLarge, malformedRequest, uriTooLong, type ApiError } from "../base/errors.js";
import type { Limits } from "./settings.js";

/** `: ` and the line end of each header. */
const HEADER_PUNCTUATION_BYTES = 4;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/** What is wrong with a request before any route is looked up (LIM-1), or null. Node counts URL and headers as one. */
export function guardRequest(request: IncomingMessage, limits: Limits): ApiError | null {
  const target = request.url ?? "";
  if (target.length > limits.urlBytes) return uriTooLong(limits.urlBytes);
  const { rawHeaders } = request;
  let bytes = 0;
  let hosts = 0;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    bytes += name.length + (rawHeaders[index + 1] ?? "").length + HEADER_PUNCTUATION_BYTES;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (bytes > limits.headerBytes) return headersTooLarge(limits.headerBytes);
  const isOld = request.httpVersionMajor === 1 && request.httpVersionMinor === 0;
  if (isOld && request.headers["transfer-encoding"] !== undefined) {
    return malformedRequest("HTTP/1.0 has no Transfer-Encoding.");
  }
  if (hosts === 1 || (hosts === 0 && isOld)) return null;
  return malformedRequest(
    hosts === 0 ? "The Host header is missing." : "The Host header is repeated.",
  );
}

/** The path and query of a request target: RFC 9112 lets a client send the whole URL. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return withPlainPath(target);
  const rest = target.replace(ABSOLUTE_FORM, "");
  return withPlainPath(rest.startsWith("/") ? rest : `/${rest}`);
}

/** A letter, digit, `-`, `.`, `_` or `~` that is percent-encoded is the same path (RFC 3986, 6.2.2.2). */
function withPlainPath(target: string): string {
  if (!target.includes("%")) return target;
  const [path = "", ...query] = target.split("?");
  return [path.replace(ENCODED_UNRESERVED, decodeURIComponent), ...query].join("?");
}
