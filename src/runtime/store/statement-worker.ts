import { fork, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

import { ownFile } from "../base/package.js";
import { StorageUnavailable } from "./database.js";
import type { OpenedFile } from "./sqlite-files.js";
import type { StatementOrder, StatementOutcome } from "./statement-order.js";
import type { ProgramArguments } from "./statement-process.js";

/** One process with a connection of its own. Unlike a thread it can be ended in the middle of a statement. */
export class StatementWorker {
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
  return existsSync(beside) ? beside : ownFile("store/statement-process");
}

/** What Node needs to run TypeScript: the loader that the service itself was started with. */
function loaderOf(program: string): string[] {
  if (!program.endsWith(".ts")) return [];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href];
}
