import { serviceUnavailable } from "../base/errors.js";
import { digest, DoneBefore, IdempotencyStore } from "../http/idempotency.js";
import type { RequestContext } from "../http/request.js";
import type { HttpReply } from "../http/routes.js";
import { type Database, OwnCodeConflict, WriteConflict } from "../store/database.js";
import { type LockOwner, type LockRequest, LockSet } from "../store/locks.js";
import { UnitOfWork } from "../store/unit-of-work.js";
import type { Later } from "./hooks.js";

/**
 * Does work whose writes happen together, once it has ended; inside another such work it is a part of that one, and no part
 * of it where it fails. `work` is done again when another request was faster. Changes are announced when they are durable.
 */
export function inUnit<T>(
  context: RequestContext,
  database: Database,
  work: (unit: UnitOfWork) => Later<T>,
  exclusively?: LockRequest,
): Promise<T> {
  if (context.unit !== null) return asPart(context.unit, work);
  // No promise of its own: what waits for the write is copied by the garbage collector meanwhile.
  const attempt = (): Promise<T> => asWhole({ context, database, work }, tried);
  const tried: Attempts<T> = { locks: null, context, attempt };
  return exclusively === undefined ? retryOnConflict(tried) : retryExclusively(exclusively, tried);
}

/** The result of a unit, with the response that reports it. */
export interface Answered {
  readonly reply: HttpReply;
}

/** Runs the unit of a request. A response that has to be kept is written in the same transaction (OPS-12). */
export function answerInUnit<Made extends Answered>(
  context: RequestContext,
  database: Database,
  work: (unit: UnitOfWork) => Promise<Made>,
  exclusively?: LockRequest,
): Promise<Made> {
  const { keepAnswer } = context;
  if (keepAnswer === null) return inUnit(context, database, work, exclusively);
  const keeping = async (unit: UnitOfWork): Promise<Made> => {
    const made = await work(unit);
    // First: of two requests with one key, the later one has to fail at the key and at nothing else.
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

async function asWhole<T>({ context, database, work }: Whole<T>, owner: LockOwner): Promise<T> {
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

async function asPart<T>(part: UnitOfWork, work: (unit: UnitOfWork) => Later<T>): Promise<T> {
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

/** One after the other, in the order of the changes. */
function announce({ announcements }: UnitOfWork, context: RequestContext): void {
  if (announcements.length === 0) return;
  context.afterAnswer(async () => {
    for (const tell of announcements) await tell();
  });
}

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

/** How often a change is tried again while others keep changing the same entity. */
const MAXIMUM_ATTEMPTS = 20;
/** More where it has a lock: it is the only one of this process, and each attempt may meet one of every other process. */
const LOCKED_ATTEMPTS = 100;
/** Fewer attempts where custom code may be the reason: trying again does not help then. */
const OWN_CODE_ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 1;

/** A transaction that is tried until it meets no other one. Whatever becomes of it, it gives up its places at its end. */
interface Attempts<T> extends LockOwner {
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
