import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { throwerOf } from "../base/custom-code.js";
import { internalError } from "../base/errors.js";
import { sendError } from "./answers.js";
import { answerSocket } from "./client-errors.js";
import { ErrorLog } from "./error-log.js";
import { codeOf, toApiError } from "./error-mapping.js";
import type { ServiceSettings } from "./settings.js";
import { readableError } from "./thrown-error.js";

/** Of Node, for a header that it cannot send. */
const HEADER_FAULTS: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
]);

/** What an answer says of its own body, that an error in its place has not. */
const OF_ANOTHER_ANSWER = [
  ...["accept-ranges", "cache-control", "content-disposition", "content-encoding"],
  ...["content-language", "content-range", "etag", "last-modified", "location"],
  ...["retry-after", "transfer-encoding"],
];

/** Answers that have been replaced by an error: whatever of a plugin has failed would fail again. */
const unsendable = new WeakSet<FastifyReply>();

/** Whether an error is sent in place of another answer. */
export function isUnsendable(reply: FastifyReply): boolean {
  return unsendable.has(reply);
}

/** Answers errors of every kind in the contract's form (ERR-1), and logs the ones that are the service's own (ERR-3). */
export class Refusals {
  private readonly faults: ErrorLog;

  constructor(
    private readonly settings: ServiceSettings,
    private readonly logger: FastifyBaseLogger,
  ) {
    this.faults = new ErrorLog(logger);
  }

  /** Sends what the runtime, or custom code that it has called, threw. Never throws. */
  readonly send = (reply: FastifyReply, error: unknown): void => {
    try {
      const isOwnCodes = throwerOf(error) !== undefined;
      this.answer(reply, isOwnCodes ? readableError(error) : error, { thrown: error, isOwnCodes });
    } catch (fault) {
      this.sendPlain(reply, fault);
    }
  };

  /** Sends what reached Fastify: of the runtime, or of a plugin, which can be anything. Never throws. */
  readonly sendAny = (reply: FastifyReply, error: unknown): void => {
    unsendable.add(reply);
    try {
      // A plugin can refuse to send what is ready.
      for (const name of OF_ANOTHER_ANSWER) reply.removeHeader(name);
      // Another attempt would meet the same header, which a plugin has set.
      if (HEADER_FAULTS.has(codeOf(error))) this.sendPlain(reply, error);
      else this.answer(reply, readableError(error), { thrown: error, isOwnCodes: false });
    } catch (fault) {
      this.sendPlain(reply, fault);
    }
  };

  private answer(
    reply: FastifyReply,
    error: unknown,
    { thrown, isOwnCodes }: { readonly thrown: unknown; readonly isOwnCodes: boolean },
  ): void {
    const { limits, pretty } = this.settings;
    const { id } = reply.request;
    const known = toApiError(error, id, { limits, isOwnCodes });
    if (known.status >= 500) this.faults.add(error, known.status, reply, throwerOf(thrown));
    // Not every error has come past the hook of requests.
    reply.header("x-request-id", id).header("x-content-type-options", "nosniff");
    // Fastify closes after a body that is refused, which would reset the connection before the
    // answer is read; Node drops the rest of the body instead, for as long as a request may take.
    const isBodyRefused = known.status === 413 || known.status === 503;
    if (isBodyRefused && reply.raw.shouldKeepAlive) reply.removeHeader("connection");
    sendError(reply, known, { pretty, fail: this.sendPlain });
  }

  /** 500 on the connection itself, which is closed: the response may have been begun as another one. */
  readonly sendPlain = ({ raw, request }: FastifyReply, fault: unknown): void => {
    const { id } = request;
    this.logger.error({ err: fault, requestId: id }, "a response could not be sent");
    if (raw.headersSent || raw.socket === null) {
      raw.destroy();
      return;
    }
    const { pretty } = this.settings;
    const isHead = request.method === "HEAD";
    answerSocket(raw.socket, { error: internalError(id), requestId: id, pretty, isHead });
  };
}
