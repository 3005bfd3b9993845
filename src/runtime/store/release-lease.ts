import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import { withTimeout } from "../base/background.js";
import {
  StorageUnavailable,
  type DialectName,
  type SqlRow,
  type StorageLog,
  type WriteStep,
} from "./database.js";
import { beatStep, endStep, forgetStep, GUARD, LATEST_FENCE } from "./release-tables.js";

const BEAT_MILLISECONDS = 2000;
/** A migration waits for longer than this after the last heartbeat: see `LAPSED_MILLISECONDS`. */
const LEASE_MILLISECONDS = 6000;
/** A storage that takes longer lets the lease run out. */
const END_MILLISECONDS = 1000;

/** A newer release has migrated the database, and this one would misread it. */
export class ReleaseRetired extends StorageUnavailable {
  constructor() {
    super(
      "A newer release has migrated the database, and this one cannot read or write what is stored now: " +
        "every request that needs the database is answered with 503. Stop this process, and start the newer release.",
    );
  }
}

/** What a lease needs of its database. */
export interface LeaseDatabase {
  readonly dialect: DialectName;
  /** Writes at once, or throws. */
  write(steps: readonly WriteStep[]): Promise<void>;
  /** Reads without a look at the lease. */
  get(sql: string): SqlRow | undefined | Promise<SqlRow | undefined>;
}

/**
 * Keeps a process from reading or writing what a newer release has migrated. The process records a heartbeat, and a
 * migration that it could not live with waits until it stops, or until its heartbeat is old. Within the lease that a
 * heartbeat gives, reads are right without a look at the database; after it each read looks. Writes look always, in their
 * transaction.
 */
export class ReleaseLease {
  /** Where it reports that this release can no longer serve. */
  log: StorageLog | null = null;
  /** The last migration that retired older releases; null before the process serves. */
  generation: number | null = null;
  private readonly id = randomUUID();
  private release = "";
  private until = Infinity;
  private retired: ReleaseRetired | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: LeaseDatabase) {}

  /** Records that this process serves; the caller compares the migrations after it. */
  async begin(release: string): Promise<void> {
    this.release = release;
    // A storage that takes no writes now is reported where it is met: until then each read looks.
    this.until = 0;
    await this.record(forgetStep(this.database.dialect)).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) throw error;
    });
    const fence = await this.database.get(LATEST_FENCE);
    this.generation = Number(fence?.["generation"] ?? 0);
    // Where the storage is at fault, requests and /readyz report it.
    const beat = (): void => void this.record().catch(() => undefined);
    this.timer = setInterval(beat, BEAT_MILLISECONDS).unref();
  }

  /** False where what was read may be wrong: then `look` decides. */
  get holds(): boolean {
    return performance.now() < this.until;
  }

  /** Throws `ReleaseRetired` once that is known. */
  check(): void {
    if (this.retired !== null) throw this.retired;
  }

  /** Looks whether a newer release has migrated the database, and throws `ReleaseRetired` where it has. */
  async look(): Promise<void> {
    this.check();
    if (this.generation === null) return;
    this.judge(await this.database.get(LATEST_FENCE));
  }

  /** Judges the latest migration that retired older releases. Throws `ReleaseRetired`. */
  judge(fence: SqlRow | undefined): void {
    if (this.generation === null || Number(fence?.["generation"] ?? 0) <= this.generation) return;
    throw this.retire();
  }

  /** Takes back a transaction that another connection carries out, as `judge` would. */
  guard(): readonly WriteStep[] {
    if (this.generation === null) return [];
    const otherwise = (): ReleaseRetired => this.retire();
    return [{ sql: GUARD, values: [this.generation], changes: 1, otherwise }];
  }

  /** This release serves no more. */
  retire(): ReleaseRetired {
    if (this.retired !== null) return this.retired;
    clearInterval(this.timer);
    this.until = 0;
    this.retired = new ReleaseRetired();
    this.log?.error(this.retired.message);
    return this.retired;
  }

  /** The process serves no more: no migration has to wait for it. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    if (this.timer === undefined || this.retired !== null) return;
    const ended = this.database.write([endStep(this.id)]);
    await withTimeout(ended, END_MILLISECONDS).catch(() => undefined);
  }

  private async record(...more: readonly WriteStep[]): Promise<void> {
    const began = performance.now();
    const { id, release } = this;
    const serving = { id, release, host: hostname(), process: process.pid };
    await this.database.write([beatStep(this.database.dialect, serving), ...more]);
    if (this.retired === null) this.until = began + LEASE_MILLISECONDS;
  }
}
