import { isConnectionLoss } from "./postgres-errors.js";
import type {
  PostgresClient,
  PostgresQuery,
  PostgresResult,
  PostgresStatement,
} from "./postgres-module.js";
import type { Use } from "./postgres-statements.js";

/** Whoever waits for the answer to a statement. */
export interface Asker {
  readonly resolve: (result: PostgresResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement that was sent, and when. */
interface Sent {
  readonly since: number;
  /** Null once nobody waits any more. */
  asker: Asker | null;
}

/** Counts the time roughly, so that no statement has to look at a clock. */
export interface Ticks {
  now: number;
}

/** A connection that is opened when it is needed, and again when it was lost; answers come in the order of statements. */
export class PostgresConnection {
  /** How many statements were sent since it was taken. */
  sent = 0;
  /** Null while it is free. */
  user: Use | null = null;
  /** Called after each answer has been passed on. */
  onAnswer: (() => void) | null = null;
  private readonly pending: Sent[] = [];
  private lastAnswer = 0;
  private client: PostgresClient | null = null;
  private connecting: Promise<PostgresClient> | null = null;

  constructor(
    private readonly open: () => PostgresClient,
    private readonly ticks: Ticks,
  ) {}

  /** How many statements are not answered yet. */
  get inFlight(): number {
    return this.pending.length;
  }

  /** False where a transaction was left open. */
  get isClean(): boolean {
    return this.client === null || this.client.getTransactionStatus() === "I";
  }

  /** Sends a statement at once, whatever is due before its answer. */
  send(statement: PostgresStatement | PostgresQuery, asker: Asker): void {
    const since = this.ticks.now;
    if (this.pending.length === 0) this.lastAnswer = since;
    const sent = { since, asker };
    this.pending.push(sent);
    this.sent += 1;
    if (this.client !== null) this.sendOver(this.client, statement, sent);
    else
      this.connected().then(
        (client) => this.sendOver(client, statement, sent),
        (error: unknown) => this.settle(sent, error),
      );
  }

  /** The answer to a statement. */
  ask(statement: PostgresStatement | PostgresQuery): Promise<PostgresResult> {
    return new Promise((resolve, reject) => this.send(statement, { resolve, reject }));
  }

  /** Tells those who have waited since then that they wait no longer; the answers are still to come. */
  giveUp(since: number, error: Error): void {
    for (const sent of this.pending) {
      if (sent.since > since) return;
      sent.asker?.reject(error);
      sent.asker = null;
    }
  }

  /** Says whether an answer is due, and none has come since then. */
  isSilentSince(then: number): boolean {
    return this.pending.length > 0 && this.lastAnswer <= then;
  }

  /** Breaks the connection; the next statement opens another one. */
  drop(): void {
    if (this.client !== null) this.dropClient(this.client);
  }

  /** Waits for the answers that are due, and closes the connection. */
  async close(): Promise<void> {
    const client = this.client ?? (await this.connecting?.catch(() => null));
    await client?.end();
  }

  /** With a callback: a promise of `pg` costs two more, and a stack trace that nobody reads. */
  private sendOver(
    client: PostgresClient,
    statement: PostgresStatement | PostgresQuery,
    sent: Sent,
  ): void {
    client.query(statement, (error, result) => {
      // Nobody else uses what is broken.
      if (result === undefined && isConnectionLoss(error)) this.dropClient(client);
      this.settle(sent, error, result);
    });
  }

  private settle(sent: Sent, error: unknown, result?: PostgresResult): void {
    const { pending } = this;
    // Those of a connection that was lost may be told late.
    if (pending[0] === sent) pending.shift();
    else pending.splice(pending.indexOf(sent), 1);
    this.lastAnswer = this.ticks.now;
    const { asker } = sent;
    if (result === undefined) asker?.reject(error);
    else asker?.resolve(result);
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
    // Whoever waits for an answer is told; the next statement connects anew.
    client.on("error", forget);
    client.on("end", forget);
    try {
      await client.connect();
      // It may have been lost in the very moment.
      if (!isLost) this.client = client;
      return client;
    } finally {
      this.connecting = null;
    }
  }
}
