/** Sends responses and writes their JSON: compression, tags, and a bound on unread responses. */

import type { ServerResponse } from "node:http";
import { gzip, gzipSync, type ZlibOptions } from "node:zlib";
import type { FastifyReply } from "fastify";

import type { CommonFields, Subject } from "../base/common-fields.js";
import { errorBody, serviceUnavailable, type ApiError, pageTooLarge } from "../base/errors.js";
import type { Page } from "../query/page.js";
import { acceptsGzip } from "./body.js";
import { compressedTag, hasBody, contentTag } from "./conditional.js";
import type { HttpReply } from "./routes.js";

/** The type of every JSON body (REP-8). */
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8";

/** Options of sending a response. */
export interface SendOptions {
  /** Returns the base URL, which is known once the service listens. */
  readonly baseUrl: () => string;
  readonly unread: UnreadResponses;
  readonly fail: Fail;
}

/** Handles a response that cannot be sent when throwing is too late. */
type Fail = (reply: FastifyReply, fault: unknown) => void;

/** Sends the reply of a handler. `baseUrl` makes its links absolute (OPS-1). Throws 503 if too many bytes are unread. */
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
  countResponse(reply, bytes, unread);
  reply.code(status);
  if (location !== null) reply.header("location", baseUrl() + location);
  // RFC 8288
  if (next !== undefined) reply.header("link", `<${baseUrl()}${next}>; rel="next"`);
  if (body === null) reply.send();
  else sendBody(reply, body, { bytes, tag: etag, fail });
}

/** Counts a large response until it is sent. If too many bytes are unread, throws 503, except for a change that was made. */
function countResponse(
  { raw, request }: FastifyReply,
  bytes: number,
  unread: UnreadResponses,
): void {
  if (bytes < SMALLEST_COUNTED_BYTES) return;
  const isChange = request.method !== "GET" && request.method !== "HEAD";
  if (unread.admit(raw, bytes, isChange)) return;
  // Ends the connection, because there would hardly be room for its next response either.
  raw.shouldKeepAlive = false;
  throw serviceUnavailable(request.id);
}

/** Sends a body that is the same for all callers, and that is built and compressed once. */
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
    // As bytes, a large body is in memory once until it is read; as a string, twice.
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

/** Reports whether to compress, and adds `Vary` to each response that could be compressed (REP-6). */
function isSentCompressed(reply: FastifyReply, bytes: number): boolean {
  if (bytes < SMALLEST_COMPRESSED_BYTES) return false;
  addVary(reply, "Accept-Encoding");
  return acceptsGzip(reply.request.raw.headers["accept-encoding"], false);
}

/** Reports whether the client of a read has this body already (OPS-10). */
function isKnown(reply: FastifyReply, tag: string): boolean {
  const { method, headers } = reply.request.raw;
  const known = headers["if-none-match"];
  return known !== undefined && (method === "GET" || method === "HEAD") && hasBody(known, tag);
}

/** Writes a value as JSON. `line` is a line break with indentation, or empty for compact JSON (REP-5). */
type Write<T> = (value: T, line: string) => string;

// Control characters, the quote, the backslash, and surrogates, of which a lone one is escaped.
const ESCAPED = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;

/**
 * Writes a string as JSON, with JSON.stringify only if needed, because that is slower. A missing value of stored JSON becomes
 * null, despite its type (REP-2).
 */
export function quote(text: string): string {
  if (typeof text !== "string") return "null";
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Writes a string or null as JSON (REP-2). */
export function quoteOrNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}

/** Writes a list, or `[]` if it is empty (REP-3). Each item has its own line, unless `line` is empty. */
export function jsonItems<T>(items: readonly T[], write: Write<T>, line: string): string {
  if (items.length === 0) return "[]";
  if (line === "") return `[${items.map((item) => write(item, "")).join(",")}]`;
  const inner = `${line}  `;
  let text = "[";
  let separator = inner;
  for (const item of items) {
    text += separator + write(item, inner);
    separator = `,${inner}`;
  }
  return `${text}${line}]`;
}

/** Writes the common fields of an entity without its identifier (ENT-1). */
export function jsonCommonFields(entity: CommonFields, line: string): string {
  const { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject } = entity;
  if (line === "") {
    return (
      `"createdDate":"${createdDate}","createdSubject":${compactSubject(createdSubject)},` +
      `"lastModifiedDate":"${lastModifiedDate}","lastModifiedSubject":${compactSubject(lastModifiedSubject)}`
    );
  }
  return (
    `"createdDate": "${createdDate}",${line}"createdSubject": ${jsonSubject(createdSubject, line)},${line}` +
    `"lastModifiedDate": "${lastModifiedDate}",${line}"lastModifiedSubject": ${jsonSubject(lastModifiedSubject, line)}`
  );
}

/** Writes the subject that created or changed an entity (ENT-2). */
export function jsonSubject(subject: Subject, line: string): string {
  if (line === "") return compactSubject(subject);
  const inner = `${line}  `;
  const { subjectId, userPrincipalName } = subject;
  return `{${inner}"subjectId": ${quote(subjectId)},${inner}"userPrincipalName": ${quote(userPrincipalName)}${line}}`;
}

/** Characters written before other requests get a turn. */
const TURN_CHARACTERS = 1_048_576;

/** Writes the envelope of a collection (COL-1, COL-2), pretty by default (REP-5). Writes a large one in several turns. */
export function jsonPage<T>(
  page: Page<T>,
  write: Write<T>,
  pretty = true,
): string | Promise<string> {
  const results = { items: page.results, write, line: pretty ? "\n    " : "", text: "", next: 0 };
  if (writeSome(results)) return withEnvelope(page, results.text, pretty);
  return writeRest(results).then(() => withEnvelope(page, results.text, pretty));
}

/** The items of a page and the JSON written so far. An empty `line` means compact JSON. */
interface Results<T> {
  readonly items: readonly T[];
  readonly write: Write<T>;
  readonly line: string;
  text: string;
  next: number;
}

async function writeRest<T>(results: Results<T>): Promise<void> {
  do await new Promise(setImmediate);
  while (!writeSome(results));
}

/** Writes items for one turn. Returns false if some are left. */
function writeSome<T>(results: Results<T>): boolean {
  const { items, write, line } = results;
  const separator = `,${line}`;
  let { text, next } = results;
  const most = text.length + TURN_CHARACTERS;
  for (; next < items.length && text.length < most; next += 1) {
    // `next` is less than the length, so there is an item.
    text += (next === 0 ? line : separator) + write(items[next] as T, line);
  }
  results.text = text;
  results.next = next;
  return next === items.length;
}

function withEnvelope<T>(page: Page<T>, results: string, pretty: boolean): string {
  const { mostBytes } = page;
  const items = results === "" ? "[]" : `[${results}${pretty ? "\n  " : ""}]`;
  const text = pretty
    ? `{\n  "results": ${items}${pageMembers(page, "\n  ", ": ")}\n}`
    : `{"results":${items}${pageMembers(page, "", ":")}}`;
  // Counting also joins the pieces of the string, which would otherwise all stay in memory until the response is sent.
  const isLarge = Buffer.byteLength(text) > mostBytes;
  if (isLarge && page.results.length > 1) throw pageTooLarge(mostBytes);
  return text;
}

function compactSubject(subject: Subject): string {
  const { subjectId, userPrincipalName } = subject;
  return `{"subjectId":${quote(subjectId)},"userPrincipalName":${quote(userPrincipalName)}}`;
}

/** Writes the other members of an envelope. */
function pageMembers<T>(page: Page<T>, before: string, colon: string): string {
  const { itemCount, next, pageNumber, pageSize } = page;
  const pageCount =
    itemCount === null || pageNumber === null ? null : Math.ceil(itemCount / pageSize);
  const all = Object.entries({ itemCount, pageNumber, pageSize, pageCount })
    .map(([name, value]) => (value === null ? "" : `,${before}"${name}"${colon}${value}`))
    .join("");
  return next === undefined ? all : `${all},${before}"next"${colon}${quoteOrNull(next)}`;
}

/** A smaller body fits into one packet anyway (REP-6). */
const SMALLEST_COMPRESSED_BYTES = 1400;
/** Synchronous compression of a larger body would delay other requests. */
const LARGEST_SYNCHRONOUS_BYTES = 100 * 1024;
const OPTIONS = { level: 1 };

/** The headers of a kept body except its tag. */
type KeptHeaders = Readonly<Record<string, string>>;

/** A body that all its responses share, with its compressed form once a client has requested it. */
export class KeptBody {
  readonly plain: Buffer;
  readonly tag: string;
  private gzipped: Promise<Buffer> | null = null;

  constructor(
    content: string | Buffer,
    readonly headers: KeptHeaders,
  ) {
    this.plain = typeof content === "string" ? Buffer.from(content) : content;
    this.tag = contentTag(this.plain);
  }

  get isCompressible(): boolean {
    return this.plain.length >= SMALLEST_COMPRESSED_BYTES;
  }

  /** Compresses with the default level instead of the fastest, because it happens once. */
  compressed(): Promise<Buffer> {
    this.gzipped ??= promisedGzip(this.plain, {}).catch((error: unknown) => {
      this.gzipped = null;
      throw error;
    });
    return this.gzipped;
  }
}

/** Compresses a small body synchronously, and a large one in the background. */
function compress(body: string, bytes: number): Buffer | Promise<Buffer> {
  if (bytes <= LARGEST_SYNCHRONOUS_BYTES) return gzipSync(body, OPTIONS);
  return promisedGzip(body, OPTIONS);
}

function promisedGzip(body: string | Buffer, options: ZlibOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(body, options, (error, compressed) => {
      if (error === null) resolve(compressed);
      else reject(error);
    });
  });
}

/** Adds the headers of every response; `headersOf` in error-responses.ts adds them to responses without Fastify. */
export function addCommonHeaders(reply: FastifyReply): void {
  reply.header("x-request-id", reply.request.id).header("x-content-type-options", "nosniff");
}

/** Adds a name to `Vary`. Keeps the names that plugins have added, because a shared cache needs all of them. */
export function addVary(reply: FastifyReply, name: string): void {
  const sent = reply.getHeader("vary");
  const names = sent === undefined ? [] : String(sent).split(/\s*,\s*/);
  const isNamed = names.some((one) => one === "*" || one.toLowerCase() === name.toLowerCase());
  if (!isNamed) reply.header("vary", [...names, name].join(", "));
}

/** Smaller responses are not counted: a connection has one at a time, and takes about as much memory by itself. */
const SMALLEST_COUNTED_BYTES = 32 * 1024;
/** Time after which an unread response is dropped if there is no room for others. */
const PATIENCE_MILLISECONDS = 5000;

interface UnreadResponse {
  readonly bytes: number;
  readonly since: number;
}

/** Bounds the bytes of large responses that are in progress or unread (LIM-1). */
export class UnreadResponses {
  private bytes = 0;
  /** In the order of their start. */
  private readonly answers = new Map<ServerResponse, UnreadResponse>();

  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts a response until it is sent. To make room, disconnects clients that have not read a response for a while. Returns
   * false if there is still no room, unless the response is needed.
   */
  admit(response: ServerResponse, bytes: number, isNeeded: boolean): boolean {
    if (!this.hasRoom(bytes)) this.makeRoom(bytes);
    if (!isNeeded && !this.hasRoom(bytes)) return false;
    this.bytes += bytes;
    this.answers.set(response, { bytes, since: this.now() });
    const release = (): void => this.release(response);
    // `finish` precedes the next request of the connection; `close` covers a broken connection.
    response.once("finish", release).once("close", release);
    return true;
  }

  private hasRoom(bytes: number): boolean {
    return this.bytes === 0 || this.bytes + bytes <= this.mostBytes;
  }

  private makeRoom(bytes: number): void {
    const before = this.now() - PATIENCE_MILLISECONDS;
    for (const [response, { since }] of this.answers) {
      if (since > before || this.hasRoom(bytes)) return;
      this.release(response);
      response.destroy();
    }
  }

  private release(response: ServerResponse): void {
    const answer = this.answers.get(response);
    if (answer === undefined) return;
    this.answers.delete(response);
    this.bytes -= answer.bytes;
  }
}
