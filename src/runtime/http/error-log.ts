import type { FastifyBaseLogger, FastifyReply } from "fastify";

import { ApiError } from "../base/errors.js";
import { truncate } from "../base/truncate.js";
import { isHealthTarget } from "./health.js";
import { bounded } from "./short-value.js";

const PERIOD_MILLISECONDS = 5000;
/** Of more kinds of fault at a time the others count as one. */
const MOST_KINDS = 100;
const OTHERS = "other faults";
const MOST_IDS = 20;
/** Of the texts of a fault. */
const MOST_CHARACTERS = 2000;

/** What a line tells of a fault without its stack; it is not called `err`, which is for errors as a whole. */
interface Summary {
  readonly type: string;
  readonly message: string;
}

/** A kind of fault that has been told whole, and what came of it since the last line about it. */
interface Repeated {
  readonly fault: Summary;
  readonly firstRequestId: string;
  count: number;
  requestIds: string[];
}

/**
 * Logs what is answered with 5xx. The first fault of a kind is told whole. Those that follow are one short line each
 * where the answer is 500, since its request id leads here (ERR-3), and a count every few seconds where it is another: a
 * database or an issuer that is down does not fill the log.
 */
export class ErrorLog {
  private readonly kinds = new Map<string, Repeated>();

  constructor(private readonly logger: FastifyBaseLogger) {}

  /** Logs a fault that is about to be answered with this status, and the custom code that threw it. */
  add(error: unknown, status: number, { log, request }: FastifyReply, thrownBy?: string): void {
    // Only the client can correct that: there is no such method.
    if (status === 501) return;
    const isDecided = error instanceof ApiError;
    // Whoever asks for the health has been answered as it is, and the log has told what has changed.
    if (isDecided && isHealthTarget(request.url)) return;
    const fault = summaryOf(error);
    const kind = this.kindOf(fault);
    const by = thrownBy === undefined ? {} : { thrownBy };
    const repeated = this.kinds.get(kind);
    if (repeated === undefined) {
      this.kinds.set(kind, { fault, firstRequestId: request.id, count: 0, requestIds: [] });
      this.countLater(kind);
      // An answer that was decided on is not a fault, and its stack says nothing.
      const route = request.routeOptions.url;
      if (isDecided) log.warn({ ...by, fault, status, route }, "request failed");
      else log.error({ ...by, err: error }, "request failed");
    } else if (status === 500) {
      const { firstRequestId } = repeated;
      log.error({ ...by, fault, firstRequestId }, "request failed, as before");
    } else {
      repeated.count += 1;
      if (repeated.count <= MOST_IDS) repeated.requestIds.push(request.id);
    }
  }

  private kindOf({ type, message }: Summary): string {
    const kind = `${type}: ${truncate(message)}`;
    return this.kinds.has(kind) || this.kinds.size < MOST_KINDS ? kind : OTHERS;
  }

  /** Until a period passes in which it did not happen again. */
  private countLater(kind: string): void {
    const timer = setTimeout(() => {
      const repeated = this.kinds.get(kind);
      this.kinds.delete(kind);
      if (repeated === undefined || repeated.count === 0) return;
      const { fault, count, requestIds } = repeated;
      this.logger.error({ fault, count, requestIds }, "requests failed, as before");
      this.kinds.set(kind, { ...repeated, count: 0, requestIds: [] });
      this.countLater(kind);
    }, PERIOD_MILLISECONDS);
    timer.unref();
  }
}

function summaryOf(error: unknown): Summary {
  if (!(error instanceof Error)) return { type: typeof error, message: "" };
  const type = error instanceof ApiError ? error.type : error.name;
  return {
    type: bounded(String(type), MOST_CHARACTERS),
    message: bounded(String(error.message), MOST_CHARACTERS),
  };
}
