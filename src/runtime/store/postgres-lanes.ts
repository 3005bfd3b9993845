import { KeyedQueue } from "./keyed-queue.js";
import type { PostgresConnection } from "./postgres-connection.js";

/**
 * What a connection is used for: `lookup` reads by identifier, `quick` lists have been quick lately, `slow` ones have not,
 * or are not known yet.
 */
export type Purpose = "lookup" | "write" | "quick" | "slow";

/** One who waits for a connection. */
export interface Waiter {
  /** When it came. */
  readonly since: number;
  readonly grant: (connection: PostgresConnection) => void;
  readonly fail: (error: Error) => void;
}

/** The connections that one table's statements of one kind hold, and who waits for one. */
export class Lane extends KeyedQueue<Waiter> {
  held = 0;

  constructor(
    readonly kind: Purpose,
    readonly table: { held: number },
  ) {
    super();
  }

  /** Removes those that have waited since then, or for longer. */
  expired(then: number): readonly Waiter[] {
    return this.takeWhile(({ since }) => since <= then);
  }
}

/** The lanes of one table. */
export class TableLanes {
  /** How many connections its statements hold. */
  held = 0;
  readonly lookup = new Lane("lookup", this);
  readonly write = new Lane("write", this);
  readonly quick = new Lane("quick", this);
  readonly slow = new Lane("slow", this);

  constructor(readonly name: string) {}
}

/**
 * Who may take one of the connections: a lane takes another one only while more are free than it holds, so that whoever
 * comes later finds some, and neither a table (which may be locked) nor slow statements can have all of them.
 */
export class Shares {
  private readonly held = { lookup: 0, write: 0, quick: 0, slow: 0 };
  /** How many a lane of this kind leaves free beyond what it holds. */
  private readonly left: Readonly<Record<Purpose, number>>;
  /** How many all lanes of this kind may hold together. */
  private readonly most: Readonly<Record<Purpose, number>>;
  /** For tables that hold none. */
  private readonly spare: number;

  constructor(private readonly size: number) {
    this.spare = Math.floor(size / 4);
    this.left = {
      lookup: 0,
      write: 0,
      quick: Math.floor(size / 10),
      slow: Math.floor((size * 3) / 10),
    };
    const others = Math.max(1, this.spare);
    this.most = {
      lookup: size,
      write: size - others,
      quick: size - others,
      slow: Math.max(1, Math.floor(size / 2)),
    };
  }

  /** Says whether a lane may take one of the connections that are free. */
  allows({ kind, held, table }: Lane, free: number): boolean {
    if (free === 0 || this.held[kind] >= this.most[kind]) return false;
    if (table.held === 0) return true;
    if (table.held >= this.size - this.spare) return false;
    if (held === 0) return free > Math.min(this.spare, table.held - 1);
    return free > held + this.left[kind];
  }

  /** Counts a connection that a lane has taken (1) or given back (-1). */
  count(lane: Lane, change: 1 | -1): void {
    this.held[lane.kind] += change;
    lane.held += change;
    lane.table.held += change;
  }
}
