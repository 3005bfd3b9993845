import type { FastifyReply } from "fastify";

import { errorBody, serviceUnavailable, type ApiError } from "../base/errors.js";
import { compress, SMALLEST_COMPRESSED_BYTES, type KeptBody } from "./compression.js";
import { compressedTag } from "./entity-tag.js";
import type { HttpReply } from "./http.js";
import { acceptsGzip } from "./negotiation.js";
import { hasBody } from "./preconditions.js";
import { SMALLEST_COUNTED_BYTES, type UnreadAnswers } from "./unread-answers.js";
import { addVary } from "./vary.js";

/** REP-8: the type of every body. */
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

const RETRY_AFTER_SECONDS = 1;

/** What sending an answer takes. */
export interface SendOptions {
  /** Known once the service listens. */
  readonly baseUrl: () => string;
  readonly unread: UnreadAnswers;
  readonly fail: Fail;
}

/** What becomes of an answer that cannot be sent, when it is too late to throw. */
type Fail = (reply: FastifyReply, fault: unknown) => void;

/** Sends what a handler answered; `baseUrl` makes `Location` absolute (OPS-1). Throws 503 where too much is unread. */
export function sendReply(
  reply: FastifyReply,
  answer: HttpReply,
  { baseUrl, unread, fail }: SendOptions,
): void {
  const { body, bytes, kept, location, next, status, etag } = answer;
  if (kept !== undefined) {
    sendKept(reply, kept, fail);
    return;
  }
  countAnswer(reply, bytes, unread);
  reply.code(status);
  if (location !== null) reply.header("location", baseUrl() + location);
  // RFC 8288
  if (next !== undefined) reply.header("link", `<${baseUrl()}${next}>; rel="next"`);
  if (body === null) reply.send();
  else sendBody(reply, body, { bytes, tag: etag, fail });
}

/** Counts an answer until it has been read. Throws 503 where too much is unread; a change that was made is told all the same. */
function countAnswer({ raw, request }: FastifyReply, bytes: number, unread: UnreadAnswers): void {
  if (bytes < SMALLEST_COUNTED_BYTES) return;
  const isChange = request.method !== "GET" && request.method !== "HEAD";
  if (unread.admit(raw, bytes, isChange)) return;
  // Nobody reads here: what is asked for behind it would find no room either.
  raw.shouldKeepAlive = false;
  throw serviceUnavailable(RETRY_AFTER_SECONDS, request.id);
}

/** An answer that is the same for everybody is laid out and compressed once. */
function sendKept(reply: FastifyReply, kept: KeptBody, fail: Fail): void {
  if (kept.isCompressible) addVary(reply, "Accept-Encoding");
  const accepted = reply.request.raw.headers["accept-encoding"];
  const isCompressed = kept.isCompressible && acceptsGzip(accepted, false);
  const tag = isCompressed ? compressedTag(kept.tag) : kept.tag;
  reply.headers(kept.headers).header("etag", tag);
  if (isKnown(reply, tag)) {
    reply.removeHeader("content-type").code(304).send();
    return;
  }
  if (!isCompressed) {
    reply.send(kept.plain);
    return;
  }
  reply.header("content-encoding", "gzip");
  sendLater(reply, kept.compressed(), fail);
}

/** Sends an error in the contract's form (ERR-1). */
export function sendError(
  reply: FastifyReply,
  error: ApiError,
  { pretty, fail }: { readonly pretty: boolean; readonly fail: Fail },
): void {
  reply.code(error.status);
  const headers = error.details.headers;
  if (headers !== undefined) reply.headers(headers);
  const body = errorBody(error, pretty);
  sendBody(reply, body, { bytes: Buffer.byteLength(body), tag: null, fail });
}

interface BodyFacts {
  readonly bytes: number;
  readonly tag: string | null;
  readonly fail: Fail;
}

function sendBody(reply: FastifyReply, body: string, { bytes, tag, fail }: BodyFacts): void {
  const isCompressed = isSentCompressed(reply, bytes);
  if (tag !== null) {
    const sent = isCompressed ? compressedTag(tag) : tag;
    reply.header("etag", sent);
    if (isKnown(reply, sent)) {
      reply.code(304).send();
      return;
    }
  }
  reply.header("content-type", JSON_CONTENT_TYPE);
  if (!isCompressed) {
    // As bytes, a large answer is held once until it has been read; as text, twice.
    reply.send(bytes < SMALLEST_COUNTED_BYTES ? body : Buffer.from(body));
    return;
  }
  reply.header("content-encoding", "gzip");
  const compressed = compress(body, bytes);
  if (Buffer.isBuffer(compressed)) reply.send(compressed);
  else sendLater(reply, compressed, fail);
}

function sendLater(reply: FastifyReply, compressed: Promise<Buffer>, fail: Fail): void {
  compressed
    .then((buffer) => void reply.send(buffer))
    .catch((fault: unknown) => fail(reply, fault));
}

/** REP-6: what may be compressed says so, whatever this caller accepts. */
function isSentCompressed(reply: FastifyReply, bytes: number): boolean {
  if (bytes < SMALLEST_COMPRESSED_BYTES) return false;
  addVary(reply, "Accept-Encoding");
  return acceptsGzip(reply.request.raw.headers["accept-encoding"], false);
}

/** Whether a caller who asks for a body has it already (OPS-10). */
function isKnown(reply: FastifyReply, tag: string): boolean {
  const { method, headers } = reply.request.raw;
  const known = headers["if-none-match"];
  return known !== undefined && (method === "GET" || method === "HEAD") && hasBody(known, tag);
}
