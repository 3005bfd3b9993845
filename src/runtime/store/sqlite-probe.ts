import { statfsSync } from "node:fs";

import { StorageUnavailable } from "./database.js";
import { isDamaged, isLocked, sqliteError } from "./sqlite-errors.js";
import type { SqliteConnection } from "./sqlite-module.js";

/** The disk is read and written for the health of the service at most this often. */
const PROBE_MILLISECONDS = 1000;
/** With less than this a disk is full: a few large entities, and the log grows by pages. */
const LEAST_FREE_BYTES = 1_048_576;
/** Changes nothing, but has to be written. */
const PROBE = `UPDATE "schema_migrations" SET "applied_date" = "applied_date" WHERE rowid = 1`;
/** Those that have rows with numbers: an index of texts is none, and some of its own tables have none. */
const TABLES = `SELECT "name" FROM pragma_table_list
  WHERE "schema" = 'main' AND "type" IN ('table', 'shadow') AND NOT "wr" ORDER BY "name"`;

/** Finds out whether a database file can be read and written, for the health of the service. */
export class SqliteProbe {
  private probed = -PROBE_MILLISECONDS;
  private unwritable: unknown = null;
  private damage: StorageUnavailable | null = null;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly path: string,
    /** Called with each fault that a probe meets. */
    private readonly report: (fault: StorageUnavailable) => void,
  ) {}

  /** Throws where a table is damaged or nothing can be written. A lock is not a fault of the disk. */
  check(): void {
    const now = performance.now();
    if (now - this.probed >= PROBE_MILLISECONDS) {
      this.probed = now;
      this.unwritable = this.probe();
    }
    const fault = this.damage ?? this.unwritable;
    if (fault !== null) throw fault;
  }

  /** A transaction succeeded. */
  committed(): void {
    this.unwritable = null;
  }

  /** A request met a fault: no probe is needed to know of it. Damage stays known until the service is restarted. */
  met(fault: StorageUnavailable): void {
    if (isDamaged(fault)) this.damage = fault;
    else {
      this.unwritable = fault;
      this.probed = performance.now();
    }
  }

  /** Null where it went well. */
  private probe(): unknown {
    try {
      this.readEnds();
      this.connection.prepare(PROBE).run();
      return this.fullDisk();
    } catch (error) {
      if (isLocked(error)) return null;
      const fault = sqliteError(error);
      if (fault instanceof StorageUnavailable) this.report(fault);
      return fault;
    }
  }

  /** Reads the first and the last row of each table: a few pages, whatever the size of the database. */
  private readEnds(): void {
    for (const { name } of this.connection.prepare(TABLES).all())
      for (const end of ["min", "max"])
        this.connection.prepare(`SELECT ${end}(rowid) FROM "${String(name)}"`).get();
  }

  /** One page often still fits where nothing else does. */
  private fullDisk(): StorageUnavailable | null {
    const { bavail, blocks, bsize } = statfsSync(this.path);
    if (blocks === 0 || bavail * bsize >= LEAST_FREE_BYTES) return null;
    return new StorageUnavailable(`The disk of ${this.path} is full.`);
  }
}
