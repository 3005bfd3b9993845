import { withTimeout } from "../base/with-timeout.js";
import { StorageUnavailable } from "./database.js";
import { PostgresConnection, type Asker } from "./postgres-connection.js";
import { Shares, type Lane, type Waiter } from "./postgres-lanes.js";
import type {
  PostgresClient,
  PostgresQuery,
  PostgresResult,
  PostgresStatement,
} from "./postgres-module.js";
import type { StatementShape } from "./postgres-statements.js";

/** So many wait for a connection in one lane at most. */
const MOST_WAITING = 1000;

const TICK_MILLISECONDS = 500;
/** For a connection; and for the answer to a lookup, which a locked table delays. */
const WAITING_TICKS = 10;
const LOOKUP_TICKS = 12;
const CLOSE_MILLISECONDS = 5000;

/** How many connections a pool has, and how long one may say nothing when an answer is due. */
export interface PoolOptions {
  readonly size: number;
  readonly silentMilliseconds: number;
}

/**
 * The connections of a process. A slow list has one to itself while it runs, so that nothing waits behind it; lookups of
 * one shape, and a few quick lists of one, follow each other on one without waiting for the answers, which costs less.
 * `Shares` says who gets the next one.
 */
export class PostgresPool {
  private readonly connections: readonly PostgresConnection[];
  private readonly free: PostgresConnection[];
  private readonly shares: Shares;
  /** The lanes in which somebody waits, in the order of their turns. */
  private readonly turns = new Set<Lane>();
  private readonly ticks = { now: 0 };
  private readonly timer: NodeJS.Timeout;
  private onIdle: (() => void) | null = null;

  constructor(
    open: () => PostgresClient,
    private readonly options: PoolOptions,
  ) {
    this.connections = Array.from(
      { length: options.size },
      () => new PostgresConnection(open, this.ticks),
    );
    this.free = [...this.connections];
    this.shares = new Shares(options.size);
    this.timer = setInterval(() => this.tick(), TICK_MILLISECONDS).unref();
  }

  /** Runs a statement that changes nothing. */
  read(
    shape: StatementShape,
    statement: PostgresStatement | PostgresQuery,
  ): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const asker = { resolve, reject };
      const carrier = this.carrierOf(shape);
      if (carrier !== null) {
        carrier.send(statement, asker);
        return;
      }
      const { lane } = shape;
      if (this.shares.allows(lane, this.free.length)) {
        this.carry(this.take(lane), shape, statement, asker);
      } else {
        const grant = (connection: PostgresConnection): void =>
          this.carry(connection, shape, statement, asker);
        this.wait(lane, shape, { since: this.ticks.now, grant, fail: reject });
      }
    });
  }

  /** Lends a connection to one user, until it is given back. */
  lend(lane: Lane): Promise<PostgresConnection> {
    if (this.shares.allows(lane, this.free.length)) return Promise.resolve(this.take(lane));
    return new Promise((resolve, reject) => {
      this.wait(lane, null, { since: this.ticks.now, grant: resolve, fail: reject });
    });
  }

  /** Takes back what was lent; a transaction that was left open ends with its connection. */
  giveBack(connection: PostgresConnection, lane: Lane): void {
    if (!connection.isClean) connection.drop();
    this.release(connection, lane);
  }

  /** Finishes what is queued, within reason, and closes the connections. */
  async close(): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    if (this.isIdle()) this.onIdle?.();
    const closed = idle.then(() => Promise.all(this.connections.map((one) => one.close())));
    // A server that has fallen silent does not keep the process.
    await withTimeout(closed, CLOSE_MILLISECONDS).catch(() => undefined);
    clearInterval(this.timer);
    for (const connection of this.connections) connection.drop();
  }

  /** A connection that sends this statement at once; null where it has to wait or to take another one. */
  private carrierOf(shape: StatementShape): PostgresConnection | null {
    let best: PostgresConnection | undefined;
    for (const carrier of shape.carriers) {
      if (best === undefined || carrier.inFlight < best.inFlight) best = carrier;
    }
    if (best === undefined || !this.mayCarry(best, shape)) return null;
    const { pace, lane, carriers } = shape;
    const isEnough = best.inFlight < pace.enoughInFlight || carriers.length >= pace.mostCarriers;
    return isEnough || !this.shares.allows(lane, this.free.length) ? best : null;
  }

  private mayCarry({ inFlight, sent }: PostgresConnection, { pace }: StatementShape): boolean {
    return inFlight < pace.mostInFlight && (sent < pace.mostInARow || this.turns.size === 0);
  }

  /** Starts the work of a connection, or adds to it where that is statements of the same shape. */
  private carry(
    connection: PostgresConnection,
    shape: StatementShape,
    statement: PostgresStatement | PostgresQuery,
    asker: Asker,
  ): void {
    const { lane } = shape;
    const isFirst = connection.onAnswer === null;
    if (isFirst) this.begin(connection, shape, lane);
    connection.send(statement, asker);
    if (isFirst) this.fill(connection, shape, lane);
  }

  private begin(connection: PostgresConnection, shape: StatementShape, lane: Lane): void {
    const { isLookup, carriers } = shape;
    connection.isLookingUp = isLookup;
    if (shape.pace.mostInFlight > 1) carriers.push(connection);
    let last = isLookup ? 0 : performance.now();
    connection.onAnswer = () => {
      if (!isLookup) {
        const now = performance.now();
        this.learn(shape, now - last);
        last = now;
      }
      this.fill(connection, shape, lane);
      if (connection.inFlight > 0) return;
      const index = carriers.indexOf(connection);
      if (index >= 0) carriers.splice(index, 1);
      this.release(connection, lane);
    };
  }

  private learn(shape: StatementShape, milliseconds: number): void {
    const before = shape.lane;
    shape.learn(milliseconds);
    if (shape.lane !== before) this.move(shape, before);
  }

  /** Sends statements of the same shape that wait. */
  private fill(connection: PostgresConnection, shape: StatementShape, lane: Lane): void {
    // What has turned out to be slow, or quick, goes on elsewhere.
    if (shape.lane !== lane) return;
    while (lane.waiting > 0 && this.mayCarry(connection, shape)) {
      const waiter = lane.nextOf(shape);
      if (waiter === undefined) return;
      if (lane.waiting === 0) this.turns.delete(lane);
      waiter.grant(connection);
    }
  }

  /** Those who wait follow what was learned of their shape. */
  private move(shape: StatementShape, from: Lane): void {
    for (;;) {
      const waiter = from.nextOf(shape);
      if (waiter === undefined) return;
      shape.lane.add(shape, waiter);
      this.turns.add(shape.lane);
    }
  }

  private wait(lane: Lane, key: StatementShape | null, waiter: Waiter): void {
    if (lane.waiting >= MOST_WAITING) {
      waiter.fail(
        new StorageUnavailable("Too many requests are waiting for a connection to PostgreSQL."),
      );
      return;
    }
    lane.add(key, waiter);
    this.turns.add(lane);
  }

  private take(lane: Lane): PostgresConnection {
    const connection = this.free.pop();
    if (connection === undefined) throw new Error("No connection is free.");
    this.shares.count(lane, 1);
    return connection;
  }

  private release(connection: PostgresConnection, lane: Lane): void {
    connection.onAnswer = null;
    connection.isLookingUp = false;
    connection.sent = 0;
    this.free.push(connection);
    this.shares.count(lane, -1);
    if (this.turns.size > 0) this.grantTurns();
    if (this.onIdle !== null && this.isIdle()) this.onIdle();
  }

  /** Gives what is free to those who wait and may have it, one lane after the other. */
  private grantTurns(): void {
    let refused = 0;
    while (this.free.length > 0 && refused < this.turns.size) {
      const [lane] = this.turns;
      if (lane === undefined) return;
      this.turns.delete(lane);
      const waiter = this.shares.allows(lane, this.free.length) ? lane.next() : undefined;
      if (lane.waiting > 0) this.turns.add(lane);
      if (waiter === undefined) refused += 1;
      else {
        refused = 0;
        waiter.grant(this.take(lane));
      }
    }
  }

  private isIdle(): boolean {
    return this.free.length === this.connections.length && this.turns.size === 0;
  }

  /** Nobody waits without end: not for a connection, not for the answer to a lookup, not for a server that has fallen silent. */
  private tick(): void {
    const { ticks, options } = this;
    ticks.now += 1;
    for (const lane of this.turns) {
      for (const waiter of lane.expired(ticks.now - WAITING_TICKS)) {
        waiter.fail(new StorageUnavailable("No connection to PostgreSQL was free in time."));
      }
      if (lane.waiting === 0) this.turns.delete(lane);
    }
    const silent = Math.ceil(options.silentMilliseconds / TICK_MILLISECONDS);
    for (const connection of this.connections) {
      // The lock of a table is waited for by one lookup after the other.
      if (connection.isLookingUp) connection.giveUp(ticks.now - LOOKUP_TICKS, lateLookup());
      if (connection.isSilentSince(ticks.now - silent)) connection.drop();
    }
  }
}

function lateLookup(): Error {
  return new StorageUnavailable("PostgreSQL has not answered a lookup in time.");
}
