/**
 * Locks for entities, a mutex and a queue, all within this process. Between processes, only its revision protects a row: a
 * write that finds another revision fails with `WriteConflict`.
 */
import { customCodeRunning } from "../base/custom-code.js";
import { StorageUnavailable } from "./database.js";

/** How long a transaction waits for a locked entity: as long as a statement of PostgreSQL may take at most. */
const LOCK_MILLISECONDS = 20_000;
/** How long a change without a lock waits: the owner of the lock may be waiting for it. */
const CHANGE_MILLISECONDS = 1000;

const ACQUIRED = Promise.resolve(null);

/** A transaction in the queue of an entity. The first one owns the lock. */
interface QueuedLock {
  readonly owner: LockSet;
  readonly begin: () => void;
}

/** An entity that a transaction wants to lock. */
export interface LockRequest {
  readonly locks: KeyedLocks;
  readonly id: string;
}

/** For the log, and for the message of `LockNotFree`. */
interface LockWait {
  readonly entity: string;
  readonly by: string;
  readonly behind: number;
  readonly waitedMilliseconds: number;
}

/** The locks of one table in this process: transactions that lock the same entity run one after another. */
export class KeyedLocks {
  readonly queues = new Map<string, QueuedLock[]>();

  constructor(readonly name: string) {}

  isLocked(id: string): boolean {
    return this.queues.has(id);
  }
}

/** An entity stayed locked by others for too long. */
class LockNotFree extends StorageUnavailable {}

interface HeldLock extends LockRequest {
  /** Resolves with null once the transaction owns the lock, or with the wait if that took too long. */
  readonly ready: Promise<LockWait | null>;
}

/** The locks of a transaction; most have none. */
export interface LockOwner {
  locks: LockSet | null;
}

/** The locks of one transaction, which it keeps until it ends, also over several attempts. */
export class LockSet {
  readonly waits: LockWait[] = [];
  private readonly held = new Map<string, HeldLock>();
  /** Locks that it did not wait for, because that would have been a deadlock. */
  private readonly skipped = new Map<string, LockRequest>();
  private readonly waiting = new Set<QueuedLock[]>();

  /** Waits for a lock, or skips it if waiting would be a deadlock. Throws `LockNotFree` if the wait takes too long. */
  async lock(request: LockRequest): Promise<void> {
    const report = await this.acquire(request, LOCK_MILLISECONDS);
    if (report === null) return;
    const { entity, by, behind, waitedMilliseconds } = report;
    throw new LockNotFree(
      `${entity} was not free for ${by} in ${waitedMilliseconds} ms, behind ${behind} others. Hold locks for a shorter time, or lock fewer entities at once.`,
    );
  }

  /** Waits before a change, which may continue without the lock. */
  async giveWay(request: LockRequest): Promise<void> {
    await this.acquire(request, CHANGE_MILLISECONDS);
  }

  /**
   * Before another attempt: if the last one skipped locks, releases all locks and takes them with the skipped ones. All
   * transactions do this in the same order, so that nothing deadlocks.
   */
  async prepare(): Promise<void> {
    if (this.skipped.size === 0) return;
    const all = [...this.held, ...this.skipped];
    this.release();
    for (const [, request] of all.sort(([one], [other]) => (one < other ? -1 : 1)))
      await this.acquire(request, LOCK_MILLISECONDS);
  }

  release(): void {
    for (const { locks, id } of this.held.values()) leaveQueue(locks, id, this);
    this.held.clear();
    this.skipped.clear();
  }

  private acquire(request: LockRequest, milliseconds: number): Promise<LockWait | null> {
    const { locks, id } = request;
    const entity = `${locks.name} ${id}`;
    const known = this.held.get(entity);
    if (known !== undefined) return known.ready;
    const queue = locks.queues.get(id) ?? [];
    if (this.held.size > 0 && queue.some(({ owner }) => owner.waitsFor(this))) {
      this.skipped.set(entity, request);
      return ACQUIRED;
    }
    locks.queues.set(id, queue);
    const ready = queue.length === 0 ? ACQUIRED : this.waitIn(queue, entity, milliseconds);
    if (queue.length === 0) queue.push({ owner: this, begin: () => undefined });
    this.held.set(entity, { locks, id, ready });
    return ready.then((report) => {
      if (report !== null) this.held.delete(entity);
      if (report !== null) leaveQueue(locks, id, this);
      return report;
    });
  }

  private async waitIn(
    queue: QueuedLock[],
    entity: string,
    milliseconds: number,
  ): Promise<LockWait | null> {
    const by = customCodeRunning() ?? "a change";
    const behind = queue.length;
    const began = performance.now();
    const isFirst = await this.wait(queue, milliseconds);
    const waitedMilliseconds = Math.round(performance.now() - began);
    const report = { entity, by, behind, waitedMilliseconds };
    this.waits.push(report);
    return isFirst ? null : report;
  }

  private async wait(queue: QueuedLock[], milliseconds: number): Promise<boolean> {
    this.waiting.add(queue);
    const isFirst = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, milliseconds, false);
      const begin = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      queue.push({ owner: this, begin });
    });
    this.waiting.delete(queue);
    return isFirst;
  }

  /** Whether this transaction waits for another one, directly or not. */
  private waitsFor(other: LockSet, asked = new Set<LockSet>()): boolean {
    if (this === other) return true;
    if (asked.has(this)) return false;
    asked.add(this);
    for (const queue of this.waiting) {
      for (const { owner } of queue) {
        if (owner === this) break;
        if (owner.waitsFor(other, asked)) return true;
      }
    }
    return false;
  }
}

function leaveQueue({ queues }: KeyedLocks, id: string, owner: LockSet): void {
  const queue = queues.get(id);
  const index = queue?.findIndex((place) => place.owner === owner) ?? -1;
  if (queue === undefined || index < 0) return;
  // The owner may still be waiting here; if its transaction is over, its wait ends now.
  queue.splice(index, 1)[0]?.begin();
  if (queue.length === 0) queues.delete(id);
  else if (index === 0) queue[0]?.begin();
}

/** Runs work with the same key one after another, and other work at the same time. */
export class KeyedMutex {
  private readonly latest = new Map<string, Promise<unknown>>();

  /** Failed work does not stop what follows it. */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const current = (this.latest.get(key) ?? Promise.resolve()).then(work, work);
    this.latest.set(key, current);
    try {
      return await current;
    } finally {
      if (this.latest.get(key) === current) this.latest.delete(key);
    }
  }
}

/** A queue with turns: the items of one key are in order, and keys take turns. */
export class KeyedQueue<Item, Key = unknown> {
  waiting = 0;
  private readonly queues = new Map<Key, Item[]>();

  add(key: Key, item: Item): void {
    this.waiting += 1;
    const queue = this.queues.get(key);
    if (queue === undefined) this.queues.set(key, [item]);
    else queue.push(item);
  }

  /** Removes the next item whose key is suitable. */
  next(isSuitable: (key: Key) => boolean = () => true): Item | undefined {
    for (const key of this.queues.keys()) if (isSuitable(key)) return this.nextOf(key);
    return undefined;
  }

  /** Removes the first item of a key, whose next turn comes after all others. */
  nextOf(key: Key): Item | undefined {
    const queue = this.queues.get(key);
    return queue === undefined ? undefined : this.take(key, queue, 0);
  }

  /** Removes the next suitable item. */
  nextWhere(isSuitable: (item: Item) => boolean): Item | undefined {
    for (const [key, queue] of this.queues) {
      const index = queue.findIndex(isSuitable);
      if (index >= 0) return this.take(key, queue, index);
    }
    return undefined;
  }

  /** Removes due items from the head of each queue. */
  takeWhile(isDue: (item: Item) => boolean): readonly Item[] {
    const found: Item[] = [];
    for (const [key, queue] of this.queues) {
      while (queue[0] !== undefined && isDue(queue[0])) found.push(...queue.splice(0, 1));
      if (queue.length === 0) this.queues.delete(key);
    }
    this.waiting -= found.length;
    return found;
  }

  remove(key: Key, item: Item): boolean {
    const queue = this.queues.get(key);
    const index = queue?.indexOf(item) ?? -1;
    if (queue === undefined || index < 0) return false;
    queue.splice(index, 1);
    this.waiting -= 1;
    if (queue.length === 0) this.queues.delete(key);
    return true;
  }

  /** Removes the newest item of the key with the longest queue. */
  dropNewest(): Item | undefined {
    let most: readonly [Key, Item[]] | undefined;
    for (const entry of this.queues) {
      if (most === undefined || entry[1].length > most[1].length) most = entry;
    }
    const newest = most?.[1].at(-1);
    if (most !== undefined && newest !== undefined) this.remove(most[0], newest);
    return newest;
  }

  private take(key: Key, queue: Item[], index: number): Item | undefined {
    const [item] = queue.splice(index, 1);
    this.waiting -= 1;
    this.queues.delete(key);
    if (queue.length > 0) this.queues.set(key, queue);
    return item;
  }
}
