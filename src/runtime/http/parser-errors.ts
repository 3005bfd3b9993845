import {
  headersTooLarge,
  malformedRequest,
  notImplemented,
  payloadTooLarge,
  timeout,
  uriTooLong,
  type ApiError,
} from "../base/errors.js";
import type { Limits } from "./settings.js";

/** What Node's HTTP parser reports. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that it was reading, which may be the middle of a request. */
  readonly rawPacket?: unknown;
  /** How far into those it came. */
  readonly bytesParsed?: number;
}

const LINE_FEED = 0x0a;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) \S+ HTTP\/1\.[01]\r?$/;
const LONG_TARGET = /^[A-Z]{1,20} (\S*)/;
const TARGET = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40} (\S+)/;
const ORIGIN = /\nOrigin:[ \t]*([^\s]+)/i;
const SHOWN_BYTES = 65_536;

/** The parts of a head that change its answer. */
interface SentHead {
  readonly target?: string;
  readonly origin?: string;
}

/** The contract's answer to what the parser refuses (ERR-1, ERR-2). */
export function parserRefusal(error: ParserError, limits: Limits, requestId: string): ApiError {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return timeout(408);
    case "HPE_HEADER_OVERFLOW":
      return isLongTarget(error, limits)
        ? uriTooLong(limits.urlBytes)
        : headersTooLarge(limits.headerBytes);
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return payloadTooLarge(limits.bodyBytes);
    case "HPE_INVALID_METHOD":
      return unknownMethod(error, requestId);
    default:
      return malformedRequest("The bytes received are not a request of HTTP/1.1.");
  }
}

/** What can be read of the head of a request that the parser refuses: of the bytes that arrived with what it refused. */
export function sentHead({ code, rawPacket, bytesParsed = 0 }: ParserError): SentHead {
  if (!(rawPacket instanceof Uint8Array)) return {};
  const start = code === "HPE_INVALID_METHOD" ? lineStart(rawPacket, bytesParsed) : 0;
  const [head = ""] = latin1(rawPacket.subarray(start)).split("\r\n\r\n", 1);
  const target = TARGET.exec(head)?.[1];
  const origin = ORIGIN.exec(head)?.[1];
  return { ...(target !== undefined && { target }), ...(origin !== undefined && { origin }) };
}

/** True when the bytes begin with a request line whose target alone is over the limit. */
function isLongTarget({ rawPacket }: ParserError, limits: Limits): boolean {
  if (!(rawPacket instanceof Uint8Array)) return false;
  const target = LONG_TARGET.exec(latin1(rawPacket))?.[1] ?? "";
  return target.length > limits.urlBytes;
}

/** 501 for a well-formed request line whose method nobody knows, 400 for anything else. */
function unknownMethod({ rawPacket, bytesParsed = 0 }: ParserError, requestId: string): ApiError {
  const line = rawPacket instanceof Uint8Array ? lineAround(rawPacket, bytesParsed) : "";
  const method = REQUEST_LINE.exec(line)?.[1];
  return method === undefined
    ? malformedRequest("The request line is malformed.")
    : notImplemented(method, [], requestId);
}

/** The line that holds a position: other requests may stand before and after it. */
function lineAround(bytes: Uint8Array, position: number): string {
  const start = lineStart(bytes, position);
  const end = bytes.indexOf(LINE_FEED, start);
  return latin1(bytes.subarray(start, end < 0 ? bytes.length : end));
}

function lineStart(bytes: Uint8Array, position: number): number {
  return position === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, position - 1) + 1;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SHOWN_BYTES)).toString(
    "latin1",
  );
}
