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
import { sqliteError } from "./errors.js";
import type { OpenedFile } from "./files.js";
import type { ProgramArguments } from "./statement-process.js";
import type { StatementOrder, StatementOutcome, ReadOrder, RowsOutcome } from "./statements.js";

/** One process with a connection of its own. Unlike a thread it can be ended in the middle of a statement. */
class StatementWorker {
  private child: ChildProcess | null = null;
  private pending: ((outcome: StatementOutcome | Error) => void) | null = null;

  constructor(
    /** The database that was opened at the start: another file of its name is refused. */
    private readonly file: OpenedFile,
    private readonly program: string,
  ) {}

  /** Carries out one order; the next one must wait for it. Rejects with `StorageUnavailable` when the process ends meanwhile. */
  async run(order: StatementOrder): Promise<StatementOutcome> {
    const child = (this.child ??= this.start());
    child.ref();
    const outcome = await new Promise<StatementOutcome | Error>((resolve) => {
      this.pending = resolve;
      child.send(order);
    });
    this.pending = null;
    // A service that is not told to stop goes on by its server, not by these.
    child.unref();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** Ends the process at once, with whatever it is doing; the next order starts another one. */
  end(): void {
    const { child } = this;
    this.lose(child);
    child?.kill("SIGKILL");
  }

  /** Lets the process close its connection. */
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
    // The program sends nothing else.
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

/** The file of the program, beside this one or in the package; null: a bundle runs where the package is not installed. */
export function statementProgram(): string | null {
  const name = `./statement-process${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const beside = fileURLToPath(new URL(name, import.meta.url));
  return existsSync(beside) ? beside : ownFile("store/sqlite/statement-process");
}

/** What Node needs to run TypeScript: the loader that the service itself was started with. */
function loaderOf(program: string): string[] {
  if (!program.endsWith(".ts")) return [];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href];
}

/** Where long statements are run, and how long each may take. */
interface LongStatementsOptions {
  readonly file: OpenedFile;
  /** What the processes run. */
  readonly program: string;
  /** From the moment that it is given, so that waiting counts. */
  readonly milliseconds: number;
  /** How many processes there are at most. */
  readonly workers: number;
}

/** What an order is beside what it says. */
interface OrderOptions {
  /** A slow one leaves a process for those that are not. */
  readonly isSlow?: boolean;
  readonly recipient?: Recipient | undefined;
}

interface Order {
  readonly order: StatementOrder;
  readonly isSlow: boolean;
  /** Whose turn it takes: of all that nobody in particular waits for, undefined. */
  readonly key: string | undefined;
  readonly settle: (outcome: StatementOutcome | Error) => void;
}

/** A process at work, and since when. */
interface Job {
  readonly given: Order;
  readonly since: number;
}

const MOST_WAITING = 200;
const FEWEST_WORKERS = 2;
const MOST_WORKERS = 3;
/** What nobody waits for any more is ended after this: the process that follows takes time to start, and the service to start it. */
const LEFT_MILLISECONDS = 1000;

/** How many processes this machine has room for: the event loop wants a core of its own. */
export function workersHere(): number {
  return Math.min(MOST_WORKERS, Math.max(FEWEST_WORKERS, availableParallelism() - 1));
}

/** Runs statements in processes of their own, a few at a time, and ends those that take too long. */
export class LongStatements {
  private readonly idle: StatementWorker[] = [];
  private readonly busy = new Map<StatementWorker, Job>();
  /** By recipient, so that none of them can shut out the others. */
  private readonly waiting = new KeyedQueue<Order>();

  constructor(private readonly options: LongStatementsOptions) {}

  /** All rows of a query. Throws `StatementTimeout`, `ResultTooLarge`, `RecipientGone`, `StorageUnavailable`. */
  async read(order: ReadOrder, options: OrderOptions): Promise<RowsOutcome> {
    const outcome = await this.run({ kind: "read", ...order }, options);
    if (outcome.kind === "rows") return outcome;
    if (outcome.kind === "tooLarge") throw new ResultTooLarge(outcome.mostBytes);
    throw new Error("A query has no rows.");
  }

  /** Carries out any order; what SQLite refuses is thrown. */
  async run(order: StatementOrder, options: OrderOptions = {}): Promise<StatementOutcome> {
    const { isSlow = false, recipient } = options;
    if (recipient?.hasGone === true) throw gone();
    const outcome = await new Promise<StatementOutcome | Error>((resolve) => {
      const settle = (result: StatementOutcome | Error): void => {
        clearTimeout(timer);
        forget?.();
        resolve(result);
      };
      const given: Order = { order, isSlow, key: recipient?.recipientKey, settle };
      const timer = setTimeout(() => this.stop(given), this.options.milliseconds);
      const forget = recipient?.onceGone(() => this.leave(given));
      this.wait(given);
      this.next();
    });
    if (outcome instanceof Error) throw outcome;
    if (outcome.kind !== "failed") return outcome;
    const { message, errcode } = outcome;
    throw sqliteError(Object.assign(new Error(message), errcode === null ? {} : { errcode }));
  }

  /** Ends everything, also what is not done. */
  async close(): Promise<void> {
    const ended = new StorageUnavailable("The service has stopped.");
    for (const { settle } of this.waiting.takeWhile(() => true)) settle(ended);
    await Promise.all([...this.idle, ...this.busy.keys()].map((worker) => worker.close()));
  }

  /** Where too many wait, one of whoever has the most of them is refused. */
  private wait(given: Order): void {
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

  private async carryOut(worker: StatementWorker, given: Order): Promise<void> {
    try {
      given.settle(await worker.run(given.order));
    } catch (error) {
      given.settle(error instanceof Error ? error : new Error(String(error)));
    }
    this.busy.delete(worker);
    this.idle.push(worker);
    this.next();
  }

  /** It has taken as long as it may. */
  private stop(given: Order): void {
    const late = `A statement took longer than ${this.options.milliseconds} ms, and was ended.`;
    given.settle(new StatementTimeout(late));
    this.waiting.remove(given.key, given);
    this.end(given);
  }

  /** Nobody waits for it any more. */
  private leave(given: Order): void {
    given.settle(gone());
    if (this.waiting.remove(given.key, given)) return;
    for (const job of this.busy.values()) {
      if (job.given !== given) continue;
      const left = LEFT_MILLISECONDS - (performance.now() - job.since);
      setTimeout(() => this.end(given), Math.max(0, left)).unref();
    }
  }

  /** The only way to end a statement of SQLite from outside is to end its process. */
  private end(given: Order): void {
    for (const [worker, job] of this.busy) if (job.given === given) worker.end();
  }
}

const gone = (): Error => new RecipientGone("The client disconnected.");

/** The rows of an outcome, by column name. */
export function rowsOf({ names, cells }: RowsOutcome): readonly SqlRow[] {
  const blank: SqlRow = Object.fromEntries(names.map((name) => [name, null]));
  return cells.map((row) => {
    const named: Record<string, SqlValue> = { ...blank };
    for (const [index, name] of names.entries()) named[name] = row[index] ?? null;
    return named;
  });
}
