import { withTimeout } from "../../base/background.js";
import { StorageUnavailable } from "../database.js";
import { KeyedQueue } from "../locks.js";
import type { PostgresClient, PostgresQuery, PostgresResult, PostgresStatement } from "./client.js";
import { isConnectionLoss } from "./errors.js";
import { type StatementUse, LOOKUP, type StatementShape } from "./statements.js";

interface QueryCallbacks {
  readonly resolve: (result: PostgresResult) => void;
  readonly reject: (error: unknown) => void;
}

interface SentStatement {
  readonly since: number;
  /** Null after `giveUp`. */
  callbacks: QueryCallbacks | null;
}

/** A coarse clock, cheaper than reading the time for each statement. */
interface Ticks {
  now: number;
}

/** Connects when it is needed, and again after a loss. Results come in the order of statements. */
export class PostgresConnection {
  /** The number of statements since the connection was taken. */
  sent = 0;
  /** Null while it is idle. */
  user: StatementUse | null = null;
  onAnswer: (() => void) | null = null;
  private readonly pending: SentStatement[] = [];
  private lastAnswer = 0;
  private client: PostgresClient | null = null;
  private connecting: Promise<PostgresClient> | null = null;

  constructor(
    private readonly open: () => PostgresClient,
    private readonly ticks: Ticks,
  ) {}

  get inFlight(): number {
    return this.pending.length;
  }

  /** False inside an open transaction. */
  get isClean(): boolean {
    return this.client === null || this.client.getTransactionStatus() === "I";
  }

  /** Pipelines a statement behind earlier ones. */
  send(statement: PostgresStatement | PostgresQuery, callbacks: QueryCallbacks): void {
    const since = this.ticks.now;
    if (this.pending.length === 0) this.lastAnswer = since;
    const sent = { since, callbacks };
    this.pending.push(sent);
    this.sent += 1;
    if (this.client !== null) this.sendOver(this.client, statement, sent);
    else
      this.connected().then(
        (client) => this.sendOver(client, statement, sent),
        (error: unknown) => this.settle(sent, error),
      );
  }

  ask(statement: PostgresStatement | PostgresQuery): Promise<PostgresResult> {
    return new Promise((resolve, reject) => this.send(statement, { resolve, reject }));
  }

  /** Rejects statements that have waited since then; their results will still arrive. */
  giveUp(since: number, error: Error): void {
    for (const sent of this.pending) {
      if (sent.since > since) return;
      sent.callbacks?.reject(error);
      sent.callbacks = null;
    }
  }

  /** Whether results are outstanding, and none has come since then. */
  isSilentSince(then: number): boolean {
    return this.pending.length > 0 && this.lastAnswer <= then;
  }

  /** Closes the connection at once; the next statement reconnects. */
  drop(): void {
    if (this.client !== null) this.dropClient(this.client);
  }

  /** Waits for outstanding results, and closes the connection. */
  async close(): Promise<void> {
    const client = this.client ?? (await this.connecting?.catch(() => null));
    await client?.end();
  }

  /** With a callback, since a promise of `pg` costs two further promises and a stack trace. */
  private sendOver(
    client: PostgresClient,
    statement: PostgresStatement | PostgresQuery,
    sent: SentStatement,
  ): void {
    client.query(statement, (error, result) => {
      if (result === undefined && isConnectionLoss(error)) this.dropClient(client);
      this.settle(sent, error, result);
    });
  }

  private settle(sent: SentStatement, error: unknown, result?: PostgresResult): void {
    const { pending } = this;
    // A lost connection may settle its statements late, and out of order.
    if (pending[0] === sent) pending.shift();
    else pending.splice(pending.indexOf(sent), 1);
    this.lastAnswer = this.ticks.now;
    const { callbacks } = sent;
    if (result === undefined) callbacks?.reject(error);
    else callbacks?.resolve(result);
    this.onAnswer?.();
  }

  private dropClient(client: PostgresClient): void {
    if (this.client === client) this.client = null;
    client.connection.stream.destroy();
  }

  private connected(): Promise<PostgresClient> {
    this.connecting ??= this.connect();
    return this.connecting;
  }

  private async connect(): Promise<PostgresClient> {
    const client = this.open();
    let isLost = false;
    const forget = (): void => {
      isLost = true;
      if (this.client === client) this.client = null;
    };
    // Its statements are rejected; the next one reconnects.
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      // It may be lost already.
      if (!isLost) this.client = client;
      return client;
    } finally {
      this.connecting = null;
    }
  }
}

const MOST_WAITING = 1000;
/** The part that is kept for tables that hold no connection. */
const SPARE = 1 / 4;

const TICK_MILLISECONDS = 500;
/** The longest wait for a connection, and for the result of a lookup, which a locked table delays. */
const WAITING_TICKS = 10;
const LOOKUP_TICKS = 12;
const CLOSE_MILLISECONDS = 5000;

interface Waiter {
  readonly use: StatementUse;
  readonly since: number;
  readonly assign: (connection: PostgresConnection) => void;
  readonly fail: (error: Error) => void;
}

/**
 * The connections of a process. A slow list has one to itself, so that nothing waits behind it. Lookups of one shape, and a
 * few quick lists, are pipelined on one connection, which costs less.
 */
export class PostgresPool {
  private readonly connections: readonly PostgresConnection[];
  private readonly queue = new KeyedQueue<Waiter, StatementUse>();
  private readonly ticks = { now: 0 };
  private readonly timer: NodeJS.Timeout;
  private onIdle: (() => void) | null = null;

  constructor(
    open: () => PostgresClient,
    size: number,
    private readonly silentMilliseconds: number,
  ) {
    const connection = (): PostgresConnection => new PostgresConnection(open, this.ticks);
    this.connections = Array.from({ length: size }, connection);
    this.timer = setInterval(() => this.tick(), TICK_MILLISECONDS).unref();
  }

  read(
    shape: StatementShape,
    statement: PostgresStatement | PostgresQuery,
  ): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      const assign = (connection: PostgresConnection): void => {
        connection.onAnswer ??= this.answerObserver(connection, shape);
        connection.send(statement, { resolve, reject });
      };
      const carrier = this.pipelineTarget(shape);
      if (carrier !== undefined) assign(carrier);
      else this.enter({ use: shape, since: this.ticks.now, assign, fail: reject });
    });
  }

  /** Lends a connection until `giveBack`. */
  lend(use: StatementUse): Promise<PostgresConnection> {
    return new Promise((assign, fail) => this.enter({ use, since: this.ticks.now, assign, fail }));
  }

  /** An open transaction ends with its connection. */
  giveBack(connection: PostgresConnection): void {
    if (!connection.isClean) connection.drop();
    this.release(connection);
  }

  /** Finishes queued statements, for a limited time, and closes the connections. */
  async close(): Promise<void> {
    const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
    this.tellIdle();
    const closed = idle.then(() => Promise.all(this.connections.map((one) => one.close())));
    // A silent server must not keep the process alive.
    await withTimeout(closed, CLOSE_MILLISECONDS).catch(() => undefined);
    clearInterval(this.timer);
    for (const connection of this.connections) connection.drop();
  }

  /** A connection to pipeline the statement on; undefined if it should have another one, or wait. */
  private pipelineTarget(shape: StatementShape): PostgresConnection | undefined {
    const { kind } = shape;
    const carriers = this.connections.filter(({ user }) => user === shape);
    const [best] = carriers.sort((one, other) => one.inFlight - other.inFlight);
    if (best === undefined || !this.mayPipeline(best, shape)) return undefined;
    const isEnough = best.inFlight < kind.mostInFlight / 2 || carriers.length >= kind.mostCarriers;
    return isEnough || !mayTakeConnection(this.connections, shape) ? best : undefined;
  }

  private mayPipeline({ inFlight, sent }: PostgresConnection, { kind }: StatementUse): boolean {
    return inFlight < kind.mostInFlight && (sent < kind.mostInARow || this.queue.waiting === 0);
  }

  /** Creates the listener for results. It records the time since the last one, and sends waiting statements of the shape. */
  private answerObserver(connection: PostgresConnection, shape: StatementShape): () => void {
    let last = performance.now();
    return () => {
      const now = performance.now();
      shape.recordDuration(now - last);
      last = now;
      this.sendWaiting(connection, shape);
      if (connection.inFlight === 0) this.release(connection);
    };
  }

  /** Sends waiting statements of the same shape. */
  private sendWaiting(connection: PostgresConnection, use: StatementUse): void {
    while (this.mayPipeline(connection, use)) {
      const waiter = this.queue.nextOf(use);
      if (waiter === undefined) return;
      waiter.assign(connection);
    }
  }

  private enter(waiter: Waiter): void {
    this.queue.add(waiter.use, waiter);
    this.assignConnections();
    if (this.queue.waiting <= MOST_WAITING) return;
    const full = "Too many requests are waiting for a connection to PostgreSQL.";
    this.queue.dropNewest()?.fail(new StorageUnavailable(full));
  }

  private release(connection: PostgresConnection): void {
    connection.user = null;
    connection.onAnswer = null;
    connection.sent = 0;
    this.assignConnections();
    this.tellIdle();
  }

  /** Gives idle connections to waiting statements, in turns. */
  private assignConnections(): void {
    for (;;) {
      const connection = this.connections.find(({ user }) => user === null);
      if (connection === undefined) return;
      const waiter = this.queue.next((use) => mayTakeConnection(this.connections, use));
      if (waiter === undefined) return;
      connection.user = waiter.use;
      waiter.assign(connection);
      if (connection.onAnswer !== null) this.sendWaiting(connection, waiter.use);
    }
  }

  private tellIdle(): void {
    if (this.connections.every(({ user }) => user === null)) this.onIdle?.();
  }

  /** Ends long waits: for a connection, for a lookup, and for a silent server. */
  private tick(): void {
    const { ticks } = this;
    ticks.now += 1;
    const late = this.queue.takeWhile(({ since }) => since <= ticks.now - WAITING_TICKS);
    for (const { fail } of late) {
      fail(new StorageUnavailable("No connection to PostgreSQL was free in time."));
    }
    const lateLookup = new StorageUnavailable("PostgreSQL has not answered a lookup in time.");
    const silent = Math.ceil(this.silentMilliseconds / TICK_MILLISECONDS);
    for (const connection of this.connections) {
      // Lookups of a locked table wait one after another.
      if (connection.user?.kind === LOOKUP) connection.giveUp(ticks.now - LOOKUP_TICKS, lateLookup);
      if (connection.isSilentSince(ticks.now - silent)) connection.drop();
    }
  }
}

type Used = readonly Pick<PostgresConnection, "user">[];

/**
 * Whether a statement may take one more connection. Only lookups can hold all connections. The last ones, in total and of each
 * kind, are kept for tables that hold none, because the other tables may be locked.
 */
export function mayTakeConnection(connections: Used, { table, kind }: StatementUse): boolean {
  const used = connections.filter(({ user }) => user !== null);
  const alike = used.filter(({ user }) => user?.kind === kind);
  const isOwn = ({ user }: Used[number]): boolean => user?.table === table;
  const all = connections.length;
  const most = Math.max(1, Math.floor(all * kind.share));
  const spare = used.some(isOwn) && all > 2 ? Math.max(1, Math.floor(all * SPARE)) : 0;
  const spareOfKind = alike.some(isOwn) && kind.share < 1 ? Math.ceil(most * SPARE) : 0;
  return used.length < all - spare && alike.length < most - spareOfKind;
}
