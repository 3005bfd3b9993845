/** The context of a request in the runtime, and the checks that come before routing. */

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { callerKey, type Caller } from "../auth/authentication.js";
import type { Background } from "../base/background.js";
import type { Subject } from "../base/common-fields.js";
import { headersTooLarge, malformedRequest, uriTooLong, type ApiError } from "../base/errors.js";
import type { Clock } from "../base/time.js";
import type { Warnings } from "./log.js";
import type { Database, Recipient, WriteStep } from "../store/database.js";
import { UnitOfWork } from "../store/unit-of-work.js";
import type { HttpReply, KeptAnswer } from "./routes.js";
import type { Limits } from "./settings.js";

/** The parts of the service that the context of a request uses. */
interface ContextServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly background: Background;
  readonly warnings: Warnings;
}

/** The context of one HTTP request or job in the runtime. Custom code sees a narrower one. */
export abstract class RequestContext implements Recipient {
  /** Makes the write that stores the response (OPS-12). Null for a request without an `Idempotency-Key`. */
  keepAnswer: ((reply: HttpReply) => WriteStep) | null = null;
  /** The stored response to an earlier request with the same key (OPS-12). Null if there is none. */
  kept: KeptAnswer | null = null;
  /** Depth of nested service calls between the request and this context. */
  level = 0;
  private calls = 0;
  private ownLogger: FastifyBaseLogger | null = null;

  constructor(
    readonly caller: Caller,
    protected readonly runtime: ContextServices,
  ) {}

  /** The pending writes. Null outside a transaction. */
  abstract unit: UnitOfWork | null;
  abstract readonly requestId: string;
  abstract readonly recipientKey: string;
  abstract readonly isGone: boolean;
  abstract onGone(tell: () => void): () => void;

  /**
   * Runs work after the response has been sent or its connection has closed. In a job, runs it at once. A stopping service
   * waits for the work, which must not reject.
   */
  abstract afterAnswer(work: () => Promise<void>): void;

  get clock(): Clock {
    return this.runtime.clock;
  }

  get database(): Database {
    return this.runtime.database;
  }

  /** Counts a service call. Returns the number of calls in the transaction, or in the request outside transactions. */
  countCall(): number {
    if (this.unit !== null) return this.unit.countCall();
    this.calls += 1;
    return this.calls;
  }

  /** Logs a mistake of custom code with the id of this request: each text at most once a minute. */
  warn(text: string): void {
    if (this.runtime.warnings.isDue(text)) this.logger.warn(text);
  }

  /** The subject of the writes (AUT-3). */
  get subject(): Subject {
    return this.caller.subject;
  }

  /** Created on first use, because most requests log nothing. */
  get logger(): FastifyBaseLogger {
    this.ownLogger ??= this.runtime.logger.child({ requestId: this.requestId });
    return this.ownLogger;
  }

  /** Returns a context for another caller. It has the same unit as this context, if there is one. */
  as(caller: Caller): RequestContext {
    return new OtherCaller(caller, this.runtime, this);
  }

  /** Returns a context outside the unit, which may be written already. */
  outsideUnit(): RequestContext {
    return new OtherUnit(this.caller, this.runtime, this, null);
  }

  /** Returns a context for one change of custom code. If there is a unit, the writes of the change join it on success. */
  inPart(): RequestContext {
    const part = this.unit === null ? null : new UnitOfWork(this.unit);
    return new OtherUnit(this.caller, this.runtime, this, part);
  }

  /** Returns a context for custom code, which may run for longer than the unit that it was called in. */
  forOwnCode(): RequestContext {
    return this.unit === null
      ? this
      : new OwnCodeContext(this.caller, this.runtime, this, this.unit);
  }

  /** Returns a context for the time after the response: it has no unit, and no client that may disconnect. */
  afterwards(): RequestContext {
    return new AfterContext(this.caller, this.runtime, this);
  }
}

/** The context of a request over HTTP. */
export class ReplyContext extends RequestContext {
  unit: UnitOfWork | null = null;

  constructor(
    private readonly reply: FastifyReply,
    caller: Caller,
    runtime: ContextServices,
  ) {
    super(caller, runtime);
  }

  get requestId(): string {
    return this.reply.request.id;
  }

  get recipientKey(): string {
    return callerKey(this.caller, this.reply.request.ip);
  }

  get isGone(): boolean {
    const { raw } = this.reply;
    return raw.destroyed || raw.socket?.destroyed === true;
  }

  onGone(tell: () => void): () => void {
    const { raw } = this.reply;
    raw.once("close", tell);
    return () => raw.removeListener("close", tell);
  }

  afterAnswer(work: () => Promise<void>): void {
    const { raw } = this.reply;
    const { background } = this.runtime;
    background.run(async () => {
      if (!raw.writableFinished && !raw.destroyed) await ended(raw);
      await work();
    });
  }
}

/** The context of a job, a seed or a test, which has no HTTP request. */
export class JobContext extends RequestContext {
  unit: UnitOfWork | null = null;

  constructor(
    readonly requestId: string,
    caller: Caller,
    runtime: ContextServices,
  ) {
    super(caller, runtime);
  }

  get recipientKey(): string {
    return callerKey(this.caller, undefined);
  }

  get isGone(): boolean {
    return false;
  }

  onGone(): () => void {
    return () => undefined;
  }

  /** Not counted outside a transaction, because each call is then its own transaction. */
  override countCall(): number {
    return this.unit?.countCall() ?? 0;
  }

  afterAnswer(work: () => Promise<void>): void {
    this.runtime.background.run(work);
  }
}

/** A context that differs from its origin in its caller or its unit. */
abstract class DerivedContext extends RequestContext {
  constructor(
    caller: Caller,
    runtime: ContextServices,
    protected readonly origin: RequestContext,
  ) {
    super(caller, runtime);
    this.level = origin.level;
  }

  override countCall(): number {
    return this.unit?.countCall() ?? this.origin.countCall();
  }

  get requestId(): string {
    return this.origin.requestId;
  }

  get recipientKey(): string {
    return this.origin.recipientKey;
  }

  get isGone(): boolean {
    return this.origin.isGone;
  }

  onGone(tell: () => void): () => void {
    return this.origin.onGone(tell);
  }

  afterAnswer(work: () => Promise<void>): void {
    this.origin.afterAnswer(work);
  }
}

/** Always uses the current unit of its origin, because custom code may keep this context for longer than the unit lasts. */
class OtherCaller extends DerivedContext {
  get unit(): UnitOfWork | null {
    return this.origin.unit;
  }
}

class OtherUnit extends DerivedContext {
  constructor(
    caller: Caller,
    runtime: ContextServices,
    origin: RequestContext,
    public unit: UnitOfWork | null,
  ) {
    super(caller, runtime, origin);
  }
}

class OwnCodeContext extends DerivedContext {
  constructor(
    caller: Caller,
    runtime: ContextServices,
    origin: RequestContext,
    private readonly called: UnitOfWork,
  ) {
    super(caller, runtime, origin);
  }

  /** Null once the unit is written: each later change is its own transaction. A failed unit accepts no more changes. */
  get unit(): UnitOfWork | null {
    return this.called.isWritten ? null : this.called;
  }
}

/** The context for work after the response, on behalf of the same caller. */
class AfterContext extends DerivedContext {
  unit: UnitOfWork | null = null;
  override level = 0;

  /** Not counted, because each call is its own transaction. */
  override countCall(): number {
    return 0;
  }

  override get isGone(): boolean {
    return false;
  }

  override onGone(): () => void {
    return () => undefined;
  }
}

/** Resolves when a response has been sent, or when its connection has closed. */
async function ended(raw: FastifyReply["raw"]): Promise<void> {
  await new Promise<void>((resolve) => {
    raw.once("finish", resolve);
    raw.once("close", resolve);
  });
}

const TAKEN_OVER = /^[A-Za-z0-9._-]{1,64}$/;
const PREFIX_BYTES = 9;

/** Returns the id of a request: its own `X-Request-Id` if that is harmless, otherwise one that is unique across processes. */
export type RequestIds = (request?: IncomingMessage) => string;

/** Creates the source of request ids for one process. */
export function requestIdSource(): RequestIds {
  const prefix = randomBytes(PREFIX_BYTES).toString("base64url");
  let given = 0;
  return (request) => {
    const sent = request?.headers["x-request-id"];
    if (typeof sent === "string" && TAKEN_OVER.test(sent)) return sent;
    given += 1;
    return `${prefix}-${given.toString(36)}`;
  };
}

/** Bytes of `: ` and the line end of each header. */
const HEADER_PUNCTUATION_BYTES = 4;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const ENCODED_UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/** Returns the error of a request that fails before routing, or null (LIM-1). */
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

/** Returns the path and query of a request target, because RFC 9112 lets a client send the whole URL. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return withPlainPath(target);
  const rest = target.replace(ABSOLUTE_FORM, "");
  return withPlainPath(rest.startsWith("/") ? rest : `/${rest}`);
}

/** Decodes percent-encoded letters, digits, `-`, `.`, `_` and `~`: the path is equivalent (RFC 3986, 6.2.2.2). */
function withPlainPath(target: string): string {
  if (!target.includes("%")) return target;
  const [path = "", ...query] = target.split("?");
  return [path.replace(ENCODED_UNRESERVED, decodeURIComponent), ...query].join("?");
}
