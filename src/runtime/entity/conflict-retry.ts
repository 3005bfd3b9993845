import { serviceUnavailable } from "../base/errors.js";
import type { RequestContext } from "../http/request-context.js";
import { LockSet, type LockOwner, type LockRequest } from "../store/locks.js";
import { OwnCodeConflict, WriteConflict } from "../store/database.js";

/** How often a change is tried again while others keep changing the same entity. */
const MAXIMUM_ATTEMPTS = 20;
/** More where it has a lock: it is the only one of this process, and each attempt may meet one of every other process. */
const LOCKED_ATTEMPTS = 100;
/** Fewer attempts where custom code may be the reason: trying again does not help then. */
const OWN_CODE_ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 1;

/** A transaction that is tried until it meets no other one. Whatever becomes of it, it gives up its places at its end. */
export interface Attempts<T> extends LockOwner {
  readonly context: RequestContext;
  readonly attempt: () => Promise<T>;
}

/** Tries a change again while it conflicts with those of other requests. Throws 503 if that does not end. */
export function retryOnConflict<T>(tried: Attempts<T>, attempts = 1): Promise<T> {
  return tried.attempt().catch(async (error: unknown) => {
    try {
      checkAgain(tried, attempts, error);
      await tried.locks?.prepare();
    } catch (final) {
      tried.locks?.release();
      throw final;
    }
    return retryOnConflict(tried, attempts + 1);
  });
}

/** Throws what the transaction ends with; nothing where another attempt is due. */
function checkAgain({ locks, context }: Attempts<unknown>, attempts: number, error: unknown): void {
  if (!(error instanceof WriteConflict)) throw error;
  if (error instanceof OwnCodeConflict && attempts >= OWN_CODE_ATTEMPTS) throw error.cause;
  if (attempts < (locks === null ? MAXIMUM_ATTEMPTS : LOCKED_ATTEMPTS)) return;
  const waits = locks?.waits ?? [];
  context.logger.warn(
    { conflict: error.message, attempts, waits },
    "other transactions always committed first",
  );
  throw serviceUnavailable(RETRY_AFTER_SECONDS, context.requestId);
}

/** The same, but after a conflict the changes of one entity run one after another; they give way to those that lock it. */
export async function retryExclusively<T>(wanted: LockRequest, tried: Attempts<T>): Promise<T> {
  const { locks, id } = wanted;
  if (!locks.isLocked(id)) {
    try {
      return await tried.attempt();
    } catch (error) {
      if (!(error instanceof WriteConflict)) {
        tried.locks?.release();
        throw error;
      }
    }
  }
  await (tried.locks ??= new LockSet()).giveWay(wanted);
  return retryOnConflict(tried);
}
