import { customCodeRunning } from "../base/custom-code.js";
import { StorageUnavailable } from "./database.js";

/** A transaction waits this long for an entity that others lock: as long as for a statement. */
const LOCK_MILLISECONDS = 20_000;
/** A change that locks nothing gives way for this long: the one that has the lock may be waiting for it. */
const CHANGE_MILLISECONDS = 1000;

const NOTHING_LEFT = Promise.resolve(null);

/** A transaction in the queue of an entity: the first one has the lock. */
interface Place {
  readonly owner: Places;
  readonly begin: () => void;
}

/** An entity that a transaction wants to have to itself. */
export interface Wanted {
  readonly locks: KeyedLocks;
  readonly id: string;
}

/** What the log says of a place: whose it was, for which code, and how long it waited behind how many. */
export interface PlaceReport {
  readonly entity: string;
  readonly by: string;
  readonly behind: number;
  readonly waitedMilliseconds: number;
}

/** The queues of one table's entities in this process: transactions that lock the same entity go one after another. */
export class KeyedLocks {
  readonly queues = new Map<string, Place[]>();

  constructor(readonly name: string) {}

  /** Whether a transaction has, or waits for, this entity. */
  isLocked(id: string): boolean {
    return this.queues.has(id);
  }
}

/** An entity was locked by others for longer than a transaction waits. */
export class LockNotFree extends StorageUnavailable {}

/** A place that a transaction has or waits for. */
interface Taken extends Wanted {
  /** Null once it has the place; else what it waited for in vain. */
  readonly ready: Promise<PlaceReport | null>;
}

/** Where a transaction keeps its places; most have none. */
export interface PlaceHolder {
  places: Places | null;
}

/** The places of one transaction, which it keeps until it has ended, also when it is tried again. */
export class Places {
  /** Those that it has waited for. */
  readonly reports: PlaceReport[] = [];
  private readonly taken = new Map<string, Taken>();
  /** Those that it has gone on without: to wait for them would have been a deadlock. */
  private readonly skipped = new Map<string, Wanted>();
  private readonly waiting = new Set<Place[]>();

  /** Waits for an entity in the order of arrival. Throws `LockNotFree`. */
  async lock(wanted: Wanted): Promise<void> {
    const report = await this.take(wanted, LOCK_MILLISECONDS);
    if (report === null) return;
    const { entity, by, behind, waitedMilliseconds } = report;
    throw new LockNotFree(
      `${entity} was not free for ${by} in ${waitedMilliseconds} ms, behind ${behind} others. Hold locks for a shorter time, or lock fewer entities at once.`,
    );
  }

  /** Waits for an entity that is about to be changed; a change may go on without the lock. */
  async giveWay(wanted: Wanted): Promise<void> {
    await this.take(wanted, CHANGE_MILLISECONDS);
  }

  /** Before another attempt: takes what an attempt had to go on without, in the one order in which nothing blocks. */
  async prepare(): Promise<void> {
    if (this.skipped.size === 0) return;
    const all = [...this.taken, ...this.skipped];
    this.release();
    for (const [, wanted] of all.sort(([one], [other]) => (one < other ? -1 : 1)))
      await this.take(wanted, LOCK_MILLISECONDS);
  }

  /** Gives up all places; the next in each queue go on. */
  release(): void {
    for (const { locks, id } of this.taken.values()) leave(locks, id, this);
    this.taken.clear();
    this.skipped.clear();
  }

  private take(wanted: Wanted, milliseconds: number): Promise<PlaceReport | null> {
    const { locks, id } = wanted;
    const entity = `${locks.name} ${id}`;
    const known = this.taken.get(entity);
    if (known !== undefined) return known.ready;
    const queue = locks.queues.get(id) ?? [];
    if (this.taken.size > 0 && queue.some(({ owner }) => owner.waitsFor(this))) {
      this.skipped.set(entity, wanted);
      return NOTHING_LEFT;
    }
    locks.queues.set(id, queue);
    const ready = queue.length === 0 ? NOTHING_LEFT : this.waitIn(queue, entity, milliseconds);
    if (queue.length === 0) queue.push({ owner: this, begin: () => undefined });
    this.taken.set(entity, { locks, id, ready });
    return ready.then((report) => {
      if (report !== null) this.taken.delete(entity);
      if (report !== null) leave(locks, id, this);
      return report;
    });
  }

  private async waitIn(
    queue: Place[],
    entity: string,
    milliseconds: number,
  ): Promise<PlaceReport | null> {
    const by = customCodeRunning() ?? "a change";
    const behind = queue.length;
    const began = performance.now();
    const isFirst = await this.wait(queue, milliseconds);
    const waitedMilliseconds = Math.round(performance.now() - began);
    const report = { entity, by, behind, waitedMilliseconds };
    this.reports.push(report);
    return isFirst ? null : report;
  }

  private async wait(queue: Place[], milliseconds: number): Promise<boolean> {
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

  /** Whether this transaction waits for another one, or for one that does. */
  private waitsFor(other: Places, asked = new Set<Places>()): boolean {
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

function leave({ queues }: KeyedLocks, id: string, owner: Places): void {
  const queue = queues.get(id);
  const index = queue?.findIndex((place) => place.owner === owner) ?? -1;
  if (queue === undefined || index < 0) return;
  // It may still wait: where its transaction is over, that is what it finds out.
  queue.splice(index, 1)[0]?.begin();
  if (queue.length === 0) queues.delete(id);
  else if (index === 0) queue[0]?.begin();
}
