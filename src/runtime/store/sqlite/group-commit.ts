import { setTimeout as pause } from "node:timers/promises";
import { StorageUnavailable, type WriteStep } from "../database.js";
import { checkChanges } from "../write-sql.js";
import { isDamaged, isLocked, sqliteError } from "./module.js";
import type { StatementCache } from "./statements.js";

interface GroupCommitOptions {
  readonly statements: StatementCache;
  /** Throws `StorageUnavailable` if a commit would be lost with a deleted file. */
  readonly checkFiles: () => void;
  /** Inside the transaction: throws `StorageUnavailable` if a newer release has migrated the database. */
  readonly checkRelease: () => void;
  /** Writes a large unit in another process. */
  readonly writeLarge: (steps: readonly WriteStep[]) => Promise<void>;
  readonly onCommit: () => void;
  readonly onFault: (fault: StorageUnavailable) => void;
  /** How long a unit waits for a lock, or for a large unit. */
  readonly waitMilliseconds: number;
}

/** A unit of steps, and its promise. */
interface QueuedWrite {
  readonly steps: readonly WriteStep[];
  readonly isLarge: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  failure: unknown;
  /** When it first had to wait, or 0. */
  waitingSince: number;
}

const FIRST_PAUSE_MILLISECONDS = 2;
const LONGEST_PAUSE_MILLISECONDS = 100;
const MOST_WAITING = 2000;

/**
 * Writes queued units in one transaction, so that many writers share the cost of a durable commit. Each unit still succeeds or
 * fails alone, and a large unit is written alone. Clients that connect for each request arrive one in each turn of the event
 * loop. So the transaction begins in the first turn without a new unit, or when waiting for longer would not pay. While
 * another process has the lock, units wait in order and the event loop continues.
 */
export class GroupCommit {
  private queue: QueuedWrite[] = [];
  private isBlocked = false;
  private refusals = 0;
  /** The length of the queue in the last turn. */
  private gathered = 0;
  private gatheringSince = 0;
  /** The duration of the last transaction: waiting for longer would not pay. */
  private commitMilliseconds = 0;

  constructor(private readonly options: GroupCommitOptions) {}

  /** Resolves when the unit is durable; rejects when it, or the whole transaction, was rolled back. */
  write(steps: readonly WriteStep[], isLarge = false): Promise<void> {
    if (this.isBlocked && this.queue.length >= MOST_WAITING) {
      return Promise.reject(
        new StorageUnavailable("Too many writes are waiting for the database."),
      );
    }
    return new Promise((resolve, reject) => {
      if (this.queue.length === 0 && !this.isBlocked) this.startGathering();
      this.queue.push({ steps, isLarge, resolve, reject, failure: null, waitingSince: 0 });
    });
  }

  async drain(): Promise<void> {
    for (this.flush(); this.queue.length > 0 || this.isBlocked; this.flush()) {
      await pause(FIRST_PAUSE_MILLISECONDS);
    }
  }

  private startGathering(): void {
    this.gathered = 0;
    this.gatheringSince = performance.now();
    setImmediate(this.gather);
  }

  private readonly gather = (): void => {
    const hasGrown = this.queue.length > this.gathered;
    this.gathered = this.queue.length;
    const waited = performance.now() - this.gatheringSince;
    if (hasGrown && waited < this.commitMilliseconds) setImmediate(this.gather);
    else this.flush();
  };

  /** All units before the first large one are written together. */
  private flush(): void {
    while (this.queue.length > 0 && !this.isBlocked) {
      const units = this.queue;
      const large = units.findIndex(({ isLarge }) => isLarge);
      const [first] = units;
      if (large === 0 && first !== undefined) {
        this.queue = units.slice(1);
        void this.writeLarge(first);
        return;
      }
      this.queue = large < 0 ? [] : units.slice(large);
      this.commit(large < 0 ? units : units.slice(0, large));
    }
  }

  /** Without savepoints at first: they cost as much as a unit, and few units fail. */
  private commit(units: readonly QueuedWrite[], hasSavepoints = false): void {
    const { checkFiles, checkRelease, onCommit } = this.options;
    const began = performance.now();
    try {
      checkFiles();
      this.run("BEGIN IMMEDIATE");
      checkRelease();
      for (const unit of units) {
        if (hasSavepoints) this.performAlone(unit);
        else if (!this.perform(unit)) {
          this.rollBack();
          return units.length > 1 ? this.commit(units, true) : settle(unit);
        }
      }
      this.run("COMMIT");
      this.commitMilliseconds = performance.now() - began;
    } catch (error) {
      this.rollBack();
      this.failed(units, error);
      return;
    }
    this.refusals = 0;
    onCommit();
    for (const unit of units) settle(unit);
  }

  private failed(units: readonly QueuedWrite[], error: unknown): void {
    if (isLocked(error)) this.defer(units);
    // A damaged page of one table must not fail units of other tables.
    else if (isDamaged(error) && units.length > 1) for (const unit of units) this.commit([unit]);
    else this.reject(units, sqliteError(error));
  }

  /** Tries again after a growing pause. */
  private defer(units: readonly QueuedWrite[]): void {
    this.queue = [...units, ...this.queue];
    this.expire();
    const longest = FIRST_PAUSE_MILLISECONDS * 2 ** Math.min(this.refusals, 10);
    this.refusals += 1;
    this.isBlocked = true;
    void pause(Math.min(longest, LONGEST_PAUSE_MILLISECONDS)).then(() => this.unblock());
  }

  private async writeLarge({ steps, resolve, reject }: QueuedWrite): Promise<void> {
    const { writeLarge, checkFiles, onCommit, onFault } = this.options;
    this.isBlocked = true;
    const expiring = setInterval(() => this.expire(), LONGEST_PAUSE_MILLISECONDS);
    try {
      checkFiles();
      await writeLarge(steps);
      checkFiles();
      onCommit();
      resolve();
    } catch (error) {
      if (error instanceof StorageUnavailable) onFault(error);
      reject(error);
    } finally {
      clearInterval(expiring);
      this.unblock();
    }
  }

  private unblock(): void {
    this.isBlocked = false;
    this.flush();
  }

  /** Rejects units that have waited too long. */
  private expire(): void {
    const now = performance.now();
    const expired: QueuedWrite[] = [];
    const kept: QueuedWrite[] = [];
    for (const unit of this.queue) {
      if (unit.waitingSince === 0) unit.waitingSince = now;
      const isOver = now - unit.waitingSince >= this.options.waitMilliseconds;
      (isOver ? expired : kept).push(unit);
    }
    this.queue = kept;
    if (expired.length > 0) this.reject(expired, new DatabaseLocked());
  }

  /** Carries out the steps of a unit; false if the unit must be rolled back, because it failed after writing something. */
  private perform(unit: QueuedWrite): boolean {
    unit.failure = null;
    let hasWritten = false;
    try {
      for (const step of unit.steps) {
        const { changes } = this.options.statements.of(step.sql).run(...step.values);
        hasWritten ||= Number(changes) > 0;
        checkChanges(step, Number(changes));
      }
    } catch (error) {
      unit.failure = sqliteError(error);
      // A fault of the storage ends the transaction for all units.
      if (unit.failure instanceof StorageUnavailable) throw unit.failure;
      return !hasWritten;
    }
    return true;
  }

  private performAlone(unit: QueuedWrite): void {
    this.run("SAVEPOINT unit");
    if (!this.perform(unit)) this.run("ROLLBACK TO unit");
    this.run("RELEASE unit");
  }

  private rollBack(): void {
    try {
      this.run("ROLLBACK");
    } catch {
      // SQLite has rolled back already, or the transaction never began.
    }
  }

  private reject(units: readonly QueuedWrite[], failure: unknown): void {
    if (failure instanceof StorageUnavailable) this.options.onFault(failure);
    for (const unit of units) unit.reject(failure);
  }

  private run(sql: string): void {
    this.options.statements.of(sql).run();
  }
}

/** The lock was held for too long. */
export class DatabaseLocked extends StorageUnavailable {
  constructor() {
    super("Another process, or a large deletion of this one, keeps the database locked.");
  }
}

function settle({ failure, resolve, reject }: QueuedWrite): void {
  if (failure === null) resolve();
  else reject(failure);
}
