import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { ApiError } from "../base/errors.js";
import { truncate } from "../base/texts.js";
import { isHealthTarget } from "./health.js";
import { bounded } from "./logged-error.js";

const PERIOD_MILLISECONDS = 5000;
/** Of more kinds of fault at a time the others count as one. */
const MOST_KINDS = 100;
const OTHERS = "other faults";
const MOST_IDS = 20;

/** A kind of fault that has been logged whole, and how often it came since the last line that counts it. */
interface Known {
  /** The fault without its stack. Its name is not `err`, because pino serialises that as a whole error. */
  readonly fault: { readonly type: string; readonly message: string };
  readonly firstRequestId: string;
  count: number;
  requestIds: string[];
}

/**
 * Logs what is answered with 5xx. The first fault of a kind is logged whole. Those that follow are one short line each
 * where the answer is 500, since its request id leads here (ERR-3), and a count every few seconds where it is another: a
 * database or an issuer that is down does not fill the log.
 */
export class ErrorLog {
  private readonly kinds = new Map<string, Known>();

  constructor(private readonly logger: FastifyBaseLogger) {}

  /** Logs a fault that is about to be answered with this status, and the custom code that threw it. */
  add(error: unknown, status: number, { log, request }: FastifyReply, thrownBy?: string): void {
    const isDecided = error instanceof ApiError;
    // Only the client can correct a 501, and what keeps the service from being ready has a log of its own.
    if (status === 501 || (isDecided && isHealthTarget(request.url))) return;
    const fault = summaryOf(error);
    const text = `${fault.type}: ${truncate(fault.message)}`;
    const kind = this.kinds.has(text) || this.kinds.size < MOST_KINDS ? text : OTHERS;
    const known = this.kinds.get(kind);
    if (known === undefined) {
      if (this.kinds.size === 0) this.countLater();
      this.kinds.set(kind, { fault, firstRequestId: request.id, count: 0, requestIds: [] });
      // An answer that was decided on is not a fault, and its stack says nothing.
      const route = request.routeOptions.url;
      if (isDecided) log.warn({ thrownBy, fault, status, route }, "request failed");
      else log.error({ thrownBy, err: error }, "request failed");
    } else if (status === 500) {
      const { firstRequestId } = known;
      log.error({ thrownBy, fault, firstRequestId }, "request failed, as before");
    } else {
      known.count += 1;
      if (known.count <= MOST_IDS) known.requestIds.push(request.id);
    }
  }

  /** A kind that no longer happens is forgotten, and logged whole when it comes back. */
  private countLater(): void {
    setTimeout(() => {
      for (const [kind, known] of this.kinds) {
        if (known.count === 0) this.kinds.delete(kind);
        else this.logger.error(known, "requests failed, as before");
        known.count = 0;
        known.requestIds = [];
      }
      if (this.kinds.size > 0) this.countLater();
    }, PERIOD_MILLISECONDS).unref();
  }
}

function summaryOf(error: unknown): Known["fault"] {
  if (!(error instanceof Error)) return { type: typeof error, message: "" };
  const type = error instanceof ApiError ? error.type : error.name;
  return { type: bounded(String(type)), message: bounded(String(error.message)) };
}
