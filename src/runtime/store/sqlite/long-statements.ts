import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";

import { ownFile } from "../../base/package.js";
import {
  StorageUnavailable,
  RecipientGone,
  ResultTooLarge,
  StatementTimeout,
  type Recipient,
  type SqlRow,
  type SqlValue,
} from "../database.js";
import { KeyedQueue } from "../locks.js";
import { sqliteError } from "./module.js";
import type { OpenedFile } from "./files.js";
import type { ProgramArguments } from "./statement-process.js";
import type { StatementOrder, StatementOutcome, ReadOrder, RowsOutcome } from "./statements.js";

/** A child process with its own connection. Unlike a thread, it can be killed in the middle of a statement. */
class StatementWorker {
  private child: ChildProcess | null = null;
  private pending: ((outcome: StatementOutcome | Error) => void) | null = null;

  constructor(
    /** The opened file; another file of its name is refused. */
    private readonly file: OpenedFile,
    private readonly program: string,
  ) {}

  /** Runs one order at a time. Rejects with `StorageUnavailable` if the process ends. */
  async run(order: StatementOrder): Promise<StatementOutcome> {
    const child = (this.child ??= this.start());
    child.ref();
    const outcome = await new Promise<StatementOutcome | Error>((resolve) => {
      this.pending = resolve;
      child.send(order);
    });
    this.pending = null;
    // An idle process does not keep the service alive.
    child.unref();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** Kills the process; the next order starts another one. */
  end(): void {
    const { child } = this;
    this.lose(child);
    child?.kill("SIGKILL");
  }

  /** Lets the process close its connection and exit, or kills it during a statement. */
  async close(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    if (this.pending !== null) {
      this.end();
      return;
    }
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.ref();
    child.disconnect();
    await ended;
  }

  private start(): ChildProcess {
    const parameters: ProgramArguments = [this.file.path, this.file.identity];
    const child = fork(this.program, parameters, {
      serialization: "advanced",
      execArgv: loaderOf(this.program),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // The program sends only outcomes.
    child.on("message", (outcome: unknown) => this.pending?.(outcome as StatementOutcome));
    child.channel?.unref();
    child.on("error", () => this.lose(child));
    child.on("exit", () => this.lose(child));
    return child;
  }

  private lose(child: ChildProcess | null): void {
    if (child === null || this.child !== child) return;
    this.child = null;
    this.pending?.(new StorageUnavailable("The process of a long-running query has ended."));
  }
}

/** Returns the file of the program, in this folder or in the package; null for a bundle without the installed package. */
export function statementProgram(): string | null {
  const name = `./statement-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : ownFile("store/sqlite/statement-process");
}

/** The loader for TypeScript, with which the service itself was started. */
function loaderOf(program: string): string[] {
  if (!program.endsWith(".ts")) return [];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href];
}

interface LongStatementsOptions {
  readonly file: OpenedFile;
  readonly program: string;
  /** The limit of a statement, including its wait. */
  readonly milliseconds: number;
  readonly workers: number;
}

interface OrderOptions {
  /** A slow order leaves one process for quick ones. */
  readonly isSlow?: boolean;
  readonly recipient?: Recipient | undefined;
}

interface QueuedStatement {
  readonly order: StatementOrder;
  readonly isSlow: boolean;
  /** The recipient whose turn it takes; undefined for none. */
  readonly key: string | undefined;
  readonly settle: (outcome: StatementOutcome | Error) => void;
}

interface Job {
  readonly given: QueuedStatement;
  readonly since: number;
}

const MOST_WAITING = 200;
const FEWEST_WORKERS = 2;
const MOST_WORKERS = 3;
/** An abandoned statement is not killed before it has run for this long, because a new process takes time to start. */
const IDLE_MILLISECONDS = 1000;

/** One core is left for the event loop, if there are at least three. */
export function workersHere(): number {
  return Math.min(MOST_WORKERS, Math.max(FEWEST_WORKERS, availableParallelism() - 1));
}

/** Runs long statements in child processes, and kills those that take too long. */
export class LongStatements {
  private readonly idle: StatementWorker[] = [];
  private readonly busy = new Map<StatementWorker, Job>();
  /** By recipient, so that nobody blocks the others. */
  private readonly waiting = new KeyedQueue<QueuedStatement>();

  constructor(private readonly options: LongStatementsOptions) {}

  /** All rows of a query. Throws `StatementTimeout`, `ResultTooLarge`, `RecipientGone`, `StorageUnavailable`. */
  async read(order: ReadOrder, options: OrderOptions): Promise<RowsOutcome> {
    const outcome = await this.run({ kind: "read", ...order }, options);
    if (outcome.kind === "rows") return outcome;
    if (outcome.kind === "tooLarge") throw new ResultTooLarge(outcome.mostBytes);
    throw new Error("A query has no rows.");
  }

  /** Runs any order, and throws SQLite's errors as `sqliteError` returns them. */
  async run(order: StatementOrder, options: OrderOptions = {}): Promise<StatementOutcome> {
    const { isSlow = false, recipient } = options;
    if (recipient?.isGone === true) throw gone();
    const outcome = await new Promise<StatementOutcome | Error>((resolve) => {
      const settle = (result: StatementOutcome | Error): void => {
        clearTimeout(timer);
        forget?.();
        resolve(result);
      };
      const given: QueuedStatement = { order, isSlow, key: recipient?.recipientKey, settle };
      const timer = setTimeout(() => this.stop(given), this.options.milliseconds);
      const forget = recipient?.onGone(() => this.leave(given));
      this.wait(given);
      this.next();
    });
    if (outcome instanceof Error) throw outcome;
    if (outcome.kind !== "failed") return outcome;
    const { message, errcode } = outcome;
    throw sqliteError(Object.assign(new Error(message), errcode === null ? {} : { errcode }));
  }

  /** Refuses queued statements, and ends all processes. */
  async close(): Promise<void> {
    const ended = new StorageUnavailable("The service has stopped.");
    for (const { settle } of this.waiting.takeWhile(() => true)) settle(ended);
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.close()));
  }

  /** Queues a statement. If the queue is full, refuses the newest one of the recipient with the most queued. */
  private wait(given: QueuedStatement): void {
    this.waiting.add(given.key, given);
    if (this.waiting.waiting <= MOST_WAITING) return;
    const refused = this.waiting.dropNewest();
    refused?.settle(new StorageUnavailable("Too many long-running queries are queued."));
  }

  private next(): void {
    const { file, program, workers } = this.options;
    if (this.busy.size >= workers) return;
    const slow = [...this.busy.values()].filter(({ given }) => given.isSlow).length;
    const mayBeSlow = slow < Math.max(1, workers - 1);
    const given = this.waiting.nextWhere(({ isSlow }) => !isSlow || mayBeSlow);
    if (given === undefined) return;
    const worker = this.idle.pop() ?? new StatementWorker(file, program);
    this.busy.set(worker, { given, since: performance.now() });
    void this.carryOut(worker, given);
    this.next();
  }

  private async carryOut(worker: StatementWorker, given: QueuedStatement): Promise<void> {
    try {
      given.settle(await worker.run(given.order));
    } catch (error) {
      given.settle(error instanceof Error ? error : new Error(String(error)));
    }
    this.busy.delete(worker);
    this.idle.push(worker);
    this.next();
  }

  private stop(given: QueuedStatement): void {
    const late = `A statement took longer than ${this.options.milliseconds} ms, and was ended.`;
    given.settle(new StatementTimeout(late));
    this.waiting.remove(given.key, given);
    this.end(given);
  }

  private leave(given: QueuedStatement): void {
    given.settle(gone());
    if (this.waiting.remove(given.key, given)) return;
    for (const job of this.busy.values()) {
      if (job.given !== given) continue;
      const left = IDLE_MILLISECONDS - (performance.now() - job.since);
      setTimeout(() => this.end(given), Math.max(0, left)).unref();
    }
  }

  /** A statement of SQLite can only be ended by killing its process. */
  private end(given: QueuedStatement): void {
    for (const [worker, job] of this.busy) if (job.given === given) worker.end();
  }
}

const gone = (): Error => new RecipientGone("The client disconnected.");

export function rowsOf({ names, cells }: RowsOutcome): readonly SqlRow[] {
  const blank: SqlRow = Object.fromEntries(names.map((name) => [name, null]));
  return cells.map((row) => {
    const named: Record<string, SqlValue> = { ...blank };
    for (const [index, name] of names.entries()) named[name] = row[index] ?? null;
    return named;
  });
}
