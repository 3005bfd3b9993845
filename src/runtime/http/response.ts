import type { ServerResponse } from "node:http";
import { gzip, gzipSync, type ZlibOptions } from "node:zlib";
import type { FastifyReply } from "fastify";

import type { CommonFields, Subject } from "../base/common-fields.js";
import { errorBody, serviceUnavailable, type ApiError, pageTooLarge } from "../base/errors.js";
import type { Page } from "../query/page.js";
import { acceptsGzip } from "./body.js";
import { compressedTag, hasBody, contentTag } from "./conditional.js";
import type { HttpReply } from "./routes.js";

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

/**
 * Writes one value as JSON. `line` is a line break with the indentation of the value's last line; an
 * empty one means compact: no white space at all (REP-5).
 */
export type Write<T> = (value: T, line: string) => string;

// Control characters, the quote, the backslash, and surrogates, of which a lone one is escaped.
const ESCAPED = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;

/**
 * A text as JSON.stringify writes it, which is called only where it would change something: it costs more. A text that
 * stored JSON lacks is null, whatever its type says (REP-2).
 */
export function quote(text: string): string {
  if (typeof text !== "string") return "null";
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A text that may be null, as JSON.stringify writes it (REP-2). */
export function quoteOrNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}

/** A list with one item per line; `[]` for an empty one (REP-3). */
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

/** Writes the common fields of an entity, without its identifier (ENT-1). */
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

/** Who created or changed an entity (ENT-2). */
export function jsonSubject(subject: Subject, line: string): string {
  if (line === "") return compactSubject(subject);
  const inner = `${line}  `;
  const { subjectId, userPrincipalName } = subject;
  return `{${inner}"subjectId": ${quote(subjectId)},${inner}"userPrincipalName": ${quote(userPrincipalName)}${line}}`;
}

/** So much text is written before others have their turn. */
const TURN_CHARACTERS = 1_048_576;

/** The envelope of a collection (COL-1, COL-2), pretty (REP-5) unless it is told otherwise. A large one is written in turns. */
export function jsonPage<T>(
  page: Page<T>,
  write: Write<T>,
  pretty = true,
): string | Promise<string> {
  const results = { items: page.results, write, line: pretty ? "\n    " : "", text: "", next: 0 };
  if (writeSome(results)) return withEnvelope(page, results.text, pretty);
  return writeRest(results).then(() => withEnvelope(page, results.text, pretty));
}

/** The items of a page, each on a line of its own unless `line` is empty, as far as they are written. */
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

/** False where others have their turn before the rest. */
function writeSome<T>(results: Results<T>): boolean {
  const { items, write, line } = results;
  const separator = `,${line}`;
  let { text, next } = results;
  const most = text.length + TURN_CHARACTERS;
  for (; next < items.length && text.length < most; next += 1) {
    // Below the length of the list there is an item.
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
  // To count makes one text of its pieces as well, which would all be kept until the answer is sent.
  const isLarge = Buffer.byteLength(text) > mostBytes;
  if (isLarge && page.results.length > 1) throw pageTooLarge(mostBytes);
  return text;
}

function compactSubject(subject: Subject): string {
  const { subjectId, userPrincipalName } = subject;
  return `{"subjectId":${quote(subjectId)},"userPrincipalName":${quote(userPrincipalName)}}`;
}

/** The rest of an envelope, each member with what stands before it and after its name. */
function pageMembers<T>(page: Page<T>, before: string, colon: string): string {
  const { itemCount, next, pageNumber, pageSize } = page;
  const pageCount =
    itemCount === null || pageNumber === null ? null : Math.ceil(itemCount / pageSize);
  const all = Object.entries({ itemCount, pageNumber, pageSize, pageCount })
    .map(([name, value]) => (value === null ? "" : `,${before}"${name}"${colon}${value}`))
    .join("");
  return next === undefined ? all : `${all},${before}"next"${colon}${quoteOrNull(next)}`;
}

/** REP-6: a smaller body fits into one packet anyway. */
const SMALLEST_COMPRESSED_BYTES = 1400;
/** Beyond this, compressing would keep other requests waiting. */
const LARGEST_SYNCHRONOUS_BYTES = 100 * 1024;
const OPTIONS = { level: 1 };

/** What a kept body is sent with, beside its tag. */
type KeptHeaders = Readonly<Record<string, string>>;

/** A body that is kept, and shared by all its answers, with its compressed form once somebody has asked for that. */
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

  /** Compressed as well as it can be, for it is done once. */
  compressed(): Promise<Buffer> {
    this.gzipped ??= promisedGzip(this.plain, {}).catch((error: unknown) => {
      this.gzipped = null;
      throw error;
    });
    return this.gzipped;
  }
}

/** Compresses a body: at once while it is small, in the background beyond. */
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

/** Adds a name to `Vary`, and keeps those that plugins have added: a shared cache needs all of them. */
export function addVary(reply: FastifyReply, name: string): void {
  const sent = reply.getHeader("vary");
  const names = sent === undefined ? [] : String(sent).split(/\s*,\s*/);
  const isNamed = names.some((one) => one === "*" || one.toLowerCase() === name.toLowerCase());
  if (!isNamed) reply.header("vary", [...names, name].join(", "));
}

/** Smaller ones are not counted: a connection has at most one, and costs about as much itself. */
const SMALLEST_COUNTED_BYTES = 32 * 1024;
/** How long a client may leave an answer unread when there is no room for others. */
const PATIENCE_MILLISECONDS = 5000;

interface UnreadAnswer {
  readonly bytes: number;
  readonly since: number;
}

/** The large answers that are being made or have not been read: they hold a bounded number of bytes together (LIM-1). */
export class UnreadAnswers {
  private bytes = 0;
  /** In the order in which they began. */
  private readonly answers = new Map<ServerResponse, UnreadAnswer>();

  constructor(
    private readonly mostBytes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Counts an answer until it has left; false where there is no room for it. Clients that have not read theirs for a
   * while are disconnected first, so that they cannot keep others out.
   */
  admit(response: ServerResponse, bytes: number, isNeeded: boolean): boolean {
    if (!this.hasRoom(bytes)) this.makeRoom(bytes);
    if (!isNeeded && !this.hasRoom(bytes)) return false;
    this.bytes += bytes;
    this.answers.set(response, { bytes, since: this.now() });
    const release = (): void => this.release(response);
    // The first comes before the next request of the connection begins, the other where the connection broke.
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
