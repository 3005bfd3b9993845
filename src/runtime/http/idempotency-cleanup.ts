import type { FastifyBaseLogger, FastifyInstance } from "fastify";

import { IdempotencyStore, type IdempotencyKernel } from "./idempotency-store.js";

const PAUSE_MILLISECONDS = 60_000;

/** What removing expired answers needs of its service. */
interface CleanupKernel extends IdempotencyKernel {
  readonly logger: FastifyBaseLogger;
}

/** Removes kept answers that have expired while the service listens (OPS-12). */
export function removeExpiredAnswers(app: FastifyInstance, kernel: CleanupKernel): void {
  const expired = new IdempotencyCleanup(kernel);
  app.addHook("onListen", async () => expired.start());
  app.addHook("onClose", async () => expired.stop());
}

/** Works when it is started, and each minute after that. */
class IdempotencyCleanup {
  private readonly answers: IdempotencyStore;
  private timer: NodeJS.Timeout | null = null;
  private work: Promise<void> | null = null;
  private isStopped = false;

  constructor(private readonly kernel: CleanupKernel) {
    this.answers = new IdempotencyStore(kernel);
  }

  start(): void {
    this.timer = setInterval(() => this.remove(), PAUSE_MILLISECONDS);
    // A process that has nothing else to do may end.
    this.timer.unref();
    this.remove();
  }

  /** Resolves when nothing is being removed any more. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.timer !== null) clearInterval(this.timer);
    await this.work;
  }

  private remove(): void {
    if (this.work !== null || this.isStopped) return;
    this.work = this.removeAll().finally(() => (this.work = null));
  }

  /** A small unit at a time: whoever writes in between does not wait for all of it. */
  private async removeAll(): Promise<void> {
    try {
      while (await this.answers.removeExpired()) if (this.isStopped) return;
    } catch (error) {
      this.kernel.logger.warn({ err: error }, "expired responses could not be removed");
    }
  }
}
