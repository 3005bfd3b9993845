import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listeningIn } from "../../support/listening.js";
import type { ShopVariant } from "./attacked-shop.js";
import { pause } from "./pause.js";

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly milliseconds: number;
}

/** A service in a process of its own, started from its build as `npm start` does. */
export interface RunningService {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it listens. */
  readonly startMilliseconds: number;
  readonly child: ChildProcess;
  readonly isAlive: () => boolean;
  /** All that it has written. */
  readonly log: () => string;
  /** Sends a signal and waits for the end. */
  readonly end: (signal: NodeJS.Signals) => Promise<End>;
}

/** What differs from a service as every attack has it. */
export interface StartOptions {
  readonly variant?: ShopVariant;
  readonly variables?: Readonly<Record<string, string>>;
  /** Where its log goes; a file of its own unless it is given, and then `port` says where it listens. */
  readonly output?: { readonly stdio: StdioOptions; readonly port: number };
}

/** What is started, and where. */
export interface Program {
  readonly node: string;
  readonly service: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

const PATIENCE = 30_000;
let started = 0;

/** Starts a service on a free port. Throws, with what it wrote, when it ends instead of listening. */
export async function startService(
  { node, service, folder, variables }: Program,
  output?: StartOptions["output"],
): Promise<RunningService> {
  started += 1;
  const file = join(folder, `service-${started}.log`);
  const written = openSync(file, "a");
  const began = performance.now();
  const child = spawn(
    node,
    ["--disable-warning=ExperimentalWarning", join(service, "dist/bundle/main.js")],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], PORT: String(output?.port ?? 0), ...variables },
      stdio: output?.stdio ?? ["ignore", written, written],
    },
  );
  closeSync(written);
  let hasEnded = false;
  child.once("exit", () => (hasEnded = true));
  const log = (): string => readFileSync(file, "utf8");
  const port = output === undefined ? await portIn(log, () => hasEnded) : output.port;
  const startMilliseconds = performance.now() - began;
  const end = async (signal: NodeJS.Signals): Promise<End> => {
    const from = performance.now();
    if (!hasEnded) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    const milliseconds = performance.now() - from;
    return { code: child.exitCode, signal: child.signalCode, milliseconds };
  };
  const { pid = 0 } = child;
  return { port, pid, startMilliseconds, child, isAlive: () => !hasEnded, log, end };
}

async function portIn(log: () => string, hasEnded: () => boolean): Promise<number> {
  const last = Date.now() + PATIENCE;
  while (Date.now() < last) {
    const port = listeningIn(log())?.port;
    if (port !== undefined) return port;
    if (hasEnded()) break;
    await pause(5);
  }
  const why = hasEnded() ? "has ended" : `is still starting after ${PATIENCE} ms`;
  throw new Error(`the service does not listen, it ${why}: ${log()}`);
}
