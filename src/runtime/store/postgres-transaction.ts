import { isPassing, sqlState } from "./postgres-errors.js";
import type { PostgresClient } from "./postgres-module.js";

/** Whoever waits for a table lets everybody else wait behind it: not for long, and again a little later. */
const LOCK_MILLISECONDS = 200;
const PATIENCE_MILLISECONDS = 300_000;
const LONGEST_PAUSE_MILLISECONDS = 2000;
const LOCK_NOT_AVAILABLE = "55P03";

/** Does its work in a short transaction, again as long as a lock that it needs is not to be had. */
export async function inTransaction<T>(client: PostgresClient, work: () => Promise<T>): Promise<T> {
  return patiently(async () => {
    await client.query({ text: "BEGIN" });
    try {
      await client.query({ text: `SET LOCAL lock_timeout = ${LOCK_MILLISECONDS}` });
      const result = await work();
      await client.query({ text: "COMMIT" });
      return result;
    } catch (error) {
      // Where the connection is lost the server does it; the error that led here is the one to report.
      await client.query({ text: "ROLLBACK" }).catch(() => undefined);
      throw error;
    }
  });
}

/** Does its work again as long as others are in its way, with growing random pauses. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const last = performance.now() + PATIENCE_MILLISECONDS;
  for (let longest = 20; ; longest = Math.min(2 * longest, LONGEST_PAUSE_MILLISECONDS)) {
    try {
      return await work();
    } catch (error) {
      if (!isInTheWay(error) || performance.now() > last) throw error;
    }
    await pause(Math.random() * longest);
  }
}

/** Lets time pass. */
export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function isInTheWay(error: unknown): boolean {
  return isPassing(error) || sqlState(error) === LOCK_NOT_AVAILABLE;
}
