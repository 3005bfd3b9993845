import { serviceUnavailable } from "../base/errors.js";
import { digest, DoneBefore, IdempotencyStore } from "../http/idempotency.js";
import type { RequestContext } from "../http/request.js";
import type { HttpReply } from "../http/routes.js";
import { type Database, OwnCodeConflict, WriteConflict } from "../store/database.js";
import { type LockOwner, type LockRequest, LockSet } from "../store/locks.js";
import { UnitOfWork } from "../store/unit-of-work.js";
import type { Later } from "./hooks.js";

/**
 * Does work in one transaction, which commits at the end of `work` and runs again after a conflict. Inside another transaction,
 * the work is a part that can fail on its own. Announces changes after the commit.
 */
export function inUnit<T>(
  context: RequestContext,
  database: Database,
  work: (unit: UnitOfWork) => Later<T>,
  exclusively?: LockRequest,
): Promise<T> {
  if (context.unit !== null) return runNested(context.unit, work);
  // No extra promise here: during the write, the garbage collector would copy everything that waits for it.
  const attempt = (): Promise<T> => runTopLevel({ context, database, work }, tried);
  const tried: Attempts<T> = { locks: null, context, attempt };
  return exclusively === undefined ? retryOnConflict(tried) : retryExclusively(exclusively, tried);
}

/** The result of a unit, with its response. */
export interface WithReply {
  readonly reply: HttpReply;
}

/** Runs the unit of a request. If the response has to be kept, stores it in the same transaction (OPS-12). */
export function replyInUnit<Made extends WithReply>(
  context: RequestContext,
  database: Database,
  work: (unit: UnitOfWork) => Promise<Made>,
  exclusively?: LockRequest,
): Promise<Made> {
  const { keepAnswer } = context;
  if (keepAnswer === null) return inUnit(context, database, work, exclusively);
  const keeping = async (unit: UnitOfWork): Promise<Made> => {
    const made = await work(unit);
    // First: the later of two requests with one key must fail at the key, and nowhere else.
    unit.prepend(keepAnswer(made.reply));
    return made;
  };
  return inUnit(context, database, keeping, exclusively);
}

interface Whole<T> {
  readonly context: RequestContext;
  readonly database: Database;
  readonly work: (unit: UnitOfWork) => Later<T>;
}

async function runTopLevel<T>({ context, database, work }: Whole<T>, owner: LockOwner): Promise<T> {
  const unit = new UnitOfWork(null, owner);
  let result: T;
  context.unit = unit;
  try {
    const made = work(unit);
    result = made instanceof Promise ? await made : made;
    await unit.write(database);
  } catch (error) {
    unit.drop();
    throw error;
  } finally {
    context.unit = null;
  }
  owner.locks?.release();
  announce(unit, context);
  return result;
}

async function runNested<T>(part: UnitOfWork, work: (unit: UnitOfWork) => Later<T>): Promise<T> {
  part.checkOpen();
  try {
    const result = await work(part);
    part.join();
    return result;
  } catch (error) {
    part.drop();
    throw error;
  }
}

/** Runs the announcements after the response, one after another, in the order of the changes. */
function announce({ announcements }: UnitOfWork, context: RequestContext): void {
  if (announcements.length === 0) return;
  context.afterAnswer(async () => {
    for (const tell of announcements) await tell();
  });
}

/**
 * Does work unless it was done under this key in the last seven days (EVT-1). Stores a note about it in the same transaction.
 * Resolves with true if it did the work.
 */
export async function once(
  key: string,
  work: () => Promise<unknown>,
  context: RequestContext,
): Promise<boolean> {
  const notes = new IdempotencyStore(context);
  const { tenant } = context.caller;
  // AUT-4: two tenants can have the same key.
  const keyDigest = digest(tenant === undefined ? `once ${key}` : `once\n${tenant}\n${key}`);
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

/** Maximum number of attempts while other requests keep changing the same entity. */
const MAXIMUM_ATTEMPTS = 20;
/** Maximum number of attempts with a lock. The lock does not exclude other processes, which may cause conflicts. */
const LOCKED_ATTEMPTS = 100;
/** Maximum number of attempts if custom code may cause the conflict, because retries do not help if it does. */
const OWN_CODE_ATTEMPTS = 5;

/** A transaction with its attempts. Its locks are released at its end, in any case. */
interface Attempts<T> extends LockOwner {
  readonly context: RequestContext;
  readonly attempt: () => Promise<T>;
}

/** Retries a change while it conflicts with other requests. After too many attempts, throws as `checkAgain` does. */
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

/** Returns if a retry is due. Otherwise throws the error, or after too many conflicts 503 or the cause of the last one. */
function checkAgain({ locks, context }: Attempts<unknown>, attempts: number, error: unknown): void {
  if (!(error instanceof WriteConflict)) throw error;
  if (error instanceof OwnCodeConflict && attempts >= OWN_CODE_ATTEMPTS) throw error.cause;
  if (attempts < (locks === null ? MAXIMUM_ATTEMPTS : LOCKED_ATTEMPTS)) return;
  const waits = locks?.waits ?? [];
  context.logger.warn(
    { conflict: error.message, attempts, waits },
    "other transactions always committed first",
  );
  throw serviceUnavailable(context.requestId);
}

/**
 * Attempts a change without a lock if the entity is not locked. Otherwise, or after a conflict, first waits up to a second for
 * the lock, so that changes of one entity run one after another.
 */
async function retryExclusively<T>(wanted: LockRequest, tried: Attempts<T>): Promise<T> {
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
