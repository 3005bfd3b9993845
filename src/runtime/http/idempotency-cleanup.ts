import type { FastifyBaseLogger, FastifyInstance } from "fastify";

import { IdempotencyStore, type IdempotencyKernel } from "./idempotency-store.js";

const PAUSE_MILLISECONDS = 60_000;

/** What removing expired answers needs of its service. */
interface CleanupKernel extends IdempotencyKernel {
  readonly logger: FastifyBaseLogger;
}

/** Removes kept answers that have expired while the service listens, at once and each minute after that (OPS-12). */
export function removeExpiredAnswers(app: FastifyInstance, kernel: CleanupKernel): void {
  const answers = new IdempotencyStore(kernel);
  let work: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** A small unit at a time: whoever writes in between does not wait for all of it. */
  async function removeAll(): Promise<void> {
    try {
      while (!isStopped && (await answers.removeExpired()));
    } catch (error) {
      kernel.logger.warn({ err: error }, "expired responses could not be removed");
    }
    work = null;
  }

  app.addHook("onListen", async () => {
    work = removeAll();
    timer = setInterval(() => void (work ??= removeAll()), PAUSE_MILLISECONDS).unref();
  });
  app.addHook("onClose", async () => {
    isStopped = true;
    clearInterval(timer);
    await work;
  });
}
