import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { callerKey, type Caller } from "../auth/authentication.js";
import type { Background } from "../base/background.js";
import type { Subject } from "../base/common-fields.js";
import { headersTooLarge, malformedRequest, uriTooLong, type ApiError } from "../base/errors.js";
import type { Clock } from "../base/time.js";
import type { Warnings } from "../base/warnings.js";
import type { Database, Recipient, WriteStep } from "../store/database.js";
import { UnitOfWork } from "../store/unit-of-work.js";
import type { HttpReply, KeptAnswer } from "./routes.js";
import type { Limits } from "./settings.js";

/** What the context of a request takes of the service. */
interface ContextServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  readonly background: Background;
  readonly warnings: Warnings;
}

/** The context of one request, as the runtime sees it: of a request over HTTP, or of a job. */
export abstract class RequestContext implements Recipient {
  /** OPS-12: makes the write that keeps the answer; null for a request without an `Idempotency-Key`. */
  keepAnswer: ((reply: HttpReply) => WriteStep) | null = null;
  /** OPS-12: the answer that is due to a caller who may still do this; null: nothing was answered under this key before. */
  kept: KeptAnswer | null = null;
  /** How many calls of services lie between the request and this. */
  level = 0;
  private calls = 0;
  private ownLogger: FastifyBaseLogger | null = null;

  constructor(
    readonly caller: Caller,
    protected readonly runtime: ContextServices,
  ) {}

  /** The writes that are being prepared; null outside a transaction. */
  abstract unit: UnitOfWork | null;
  abstract readonly requestId: string;
  abstract readonly recipientKey: string;
  abstract readonly isGone: boolean;
  abstract onGone(tell: () => void): () => void;

  /** Does something after the answer, which does not wait for it; the service does when it stops. `work` does not reject. */
  abstract afterAnswer(work: () => Promise<void>): void;

  get clock(): Clock {
    return this.runtime.clock;
  }

  get database(): Database {
    return this.runtime.database;
  }

  /** Counts a call of a service; how many there have been in this transaction, or in this request where there is none. */
  countCall(): number {
    if (this.unit !== null) return this.unit.countCall();
    this.calls += 1;
    return this.calls;
  }

  /** Tells what is wrong with the service's own code, whoever calls: each text once in a minute, with this request. */
  warn(text: string): void {
    if (this.runtime.warnings.isDue(text)) this.logger.warn(text);
  }

  /** Who writes (AUT-3). */
  get subject(): Subject {
    return this.caller.subject;
  }

  /** Made when it is first asked for: most requests log nothing. */
  get logger(): FastifyBaseLogger {
    this.ownLogger ??= this.runtime.logger.child({ requestId: this.requestId });
    return this.ownLogger;
  }

  /** The same request with another caller; what it writes is part of the same unit, if there is one. */
  as(caller: Caller): RequestContext {
    return new OtherCaller(caller, this.runtime, this);
  }

  /** The same request where nothing is part of a unit that is being prepared: it may be written, or too late. */
  outsideUnit(): RequestContext {
    return new OtherUnit(this.caller, this.runtime, this, null);
  }

  /** The same request for one change of own code: its writes are part of the unit once it has succeeded. */
  inPart(): RequestContext {
    const part = this.unit === null ? null : new UnitOfWork(this.unit);
    return new OtherUnit(this.caller, this.runtime, this, part);
  }

  /** The same request for own code, which may go on when the unit that it is called in is over. */
  forOwnCode(): RequestContext {
    return this.unit === null
      ? this
      : new OwnCodeContext(this.caller, this.runtime, this, this.unit);
  }

  /** The same request once it has been answered: nothing is part of a unit, and nobody waits who could go. */
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

/** The context of something that nobody has sent: a job, a seed, a test. */
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

  /** A job calls as often as it has to: each call is a transaction. */
  override countCall(): number {
    return this.unit?.countCall() ?? 0;
  }

  afterAnswer(work: () => Promise<void>): void {
    this.runtime.background.run(work);
  }
}

/** Another context but for its caller or its unit. */
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

/** Its unit is the origin's at each moment: own code may keep it for longer than that lasts. */
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

  /** Once that is written, each change is a transaction of its own; one that has failed takes no change any more. */
  get unit(): UnitOfWork | null {
    return this.called.isWritten ? null : this.called;
  }
}

/** What follows an answer, for whoever that was sent to. */
class AfterContext extends DerivedContext {
  unit: UnitOfWork | null = null;
  override level = 0;

  /** Each call is a transaction. */
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

/** Resolves when an answer has been sent, or can be sent no more. */
async function ended(raw: FastifyReply["raw"]): Promise<void> {
  await new Promise<void>((resolve) => {
    raw.once("finish", resolve);
    raw.once("close", resolve);
  });
}

const TAKEN_OVER = /^[A-Za-z0-9._-]{1,64}$/;
const PREFIX_BYTES = 9;

/** Names a request: by its own `X-Request-Id` where that is harmless, else by one that no other process gives. */
export type RequestIds = (request?: IncomingMessage) => string;

/** Request identifiers of one process. */
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
