import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { listeningIn } from "../../support/listening.js";
import { SERVICE_MAIN, SERVICES } from "../../support/service-folders.js";
import { Client } from "./client.js";
import { documentOf } from "./openapi-oracle.js";
import { DATABASE, databaseUrl } from "./database.js";

/** What a process has written so far. */
export interface Output {
  stdout: string;
  stderr: string;
}

/** How a process ended; the code is null where a signal ended it. */
export interface End {
  readonly code: number | null;
  readonly output: Output;
}

/** A generated service in a process of its own. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly output: Output;
  /** Settles once it listens; rejects when it ends before it does. */
  readonly ready: Promise<Client>;
  readonly ended: Promise<End>;
}

const children = new Set<ChildProcess>();

/** Lets a process end with the tests of a file at the latest. */
export function endsAfterwards(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}

/** Ends whatever the tests of a file have not stopped, because one of them failed: vitest would wait for it. */
export async function killProcesses(): Promise<void> {
  const ended = [...children].map(async (child) => once(child, "exit"));
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(ended);
}

/** Starts the service in a folder, with these variables and no others of the service's; `main` may be another's program. */
export function startProcess(
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
  main = SERVICE_MAIN,
): ServiceProcess {
  const environment = {
    PATH: process.env["PATH"],
    PORT: "0",
    TEST_SERVICES: SERVICES,
    ...databaseVariables(cwd),
    ...variables,
  };
  const parameters = ["--expose-gc", main];
  const child = spawn(process.execPath, parameters, { cwd, env: environment });
  endsAfterwards(child);
  const output: Output = { stdout: "", stderr: "" };
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ready = new Promise<Client>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output.stdout += chunk.toString();
      const port = listeningIn(output.stdout)?.port;
      if (port !== undefined)
        resolve(new Client(port, documentOf(variables["TEST_SERVICE"] ?? "contract")));
    });
    child.once("close", () => reject(new Error(`ended before it listened: ${output.stderr}`)));
  });
  // Not every test waits for it.
  ready.catch(() => undefined);
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({
    code: code ?? null,
    output,
  }));
  return { child, output, ready, ended };
}

/** On PostgreSQL; a service without the variable makes its SQLite file by itself. */
function databaseVariables(cwd: string): Readonly<Record<string, string>> {
  if (DATABASE === "sqlite") return {};
  return { DATABASE_URL: databaseUrl(cwd), TEST_MAKE_SCHEMA: "true" };
}

/** One line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly err?: { readonly message: string };
  /** Of one that was told whole before. */
  readonly fault?: { readonly type: string; readonly message: string };
}

/** The log so far; throws on a line that is no JSON. */
export function logOf({ stdout }: Output): readonly LogLine[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  // Every line of the log is an object of pino's.
  return lines.map((line) => JSON.parse(line) as LogLine);
}
