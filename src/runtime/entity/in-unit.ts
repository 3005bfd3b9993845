import type { HttpReply } from "../http/http.js";
import type { RequestContext } from "../http/request-context.js";
import type { Database } from "../store/database.js";
import type { LockOwner, LockRequest } from "../store/locks.js";
import { UnitOfWork } from "../store/unit-of-work.js";
import { retryExclusively, retryOnConflict, type Attempts } from "./conflict-retry.js";
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

/** What a unit makes, and the answer that tells of it. */
export interface Answered {
  readonly reply: HttpReply;
}

/** Likewise, for a request: an answer that has to be kept is written with what it tells of (OPS-12). */
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
