import { digest } from "../http/idempotency-key.js";
import { DoneBefore, IdempotencyStore } from "../http/idempotency-store.js";
import type { RequestContext } from "../http/request-context.js";
import { inUnit } from "./in-unit.js";

/**
 * Does work in one transaction with a note that it was done; nothing where there is such a note by then (EVT-1). Says whether
 * it did it. A note is kept for seven days.
 */
export async function once(
  key: string,
  work: () => Promise<unknown>,
  context: RequestContext,
): Promise<boolean> {
  const notes = new IdempotencyStore(context);
  const keyDigest = digest(`once ${key}`);
  if (await notes.isDone(keyDigest)) return false;
  try {
    await inUnit(context, context.database, async (unit) => {
      unit.hasCustomCode = true;
      await work();
      unit.prepend(notes.done(keyDigest));
    });
  } catch (error) {
    if (error instanceof DoneBefore) return false;
    throw error;
  }
  return true;
}
