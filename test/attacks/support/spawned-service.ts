import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../../contract/support/client.js";
import { documentOf } from "../../contract/support/openapi-oracle.js";
import { endsAfterwards } from "../../contract/support/service-process.js";
import { SERVICE_MAIN } from "../../support/service-folders.js";

/** A generated service in a process whose output goes where the test says. */
export interface SpawnedService {
  readonly child: ChildProcess;
  readonly client: Client;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<unknown>;
}

/** Starts it on a free port, and waits until it answers. */
export async function spawnService(cwd: string, stdio: StdioOptions): Promise<SpawnedService> {
  const port = await freePort();
  const { PATH } = process.env;
  const child = spawn(process.execPath, [SERVICE_MAIN], {
    cwd,
    env: { PATH, PORT: String(port), LOG_LEVEL: "debug" },
    stdio,
  });
  endsAfterwards(child);
  const ended = once(child, "exit").then(([code, signal]: unknown[]) => code ?? signal);
  const client = new Client(port, documentOf("contract"));
  await answers(client, child);
  return { child, client, ended };
}

/** MiB of memory that a process holds, as the operating system counts. */
export function memoryOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function answers(client: Client, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await client.send("GET", "/healthz").catch(() => null);
    if (answer?.status === 200) return;
    await pause(50);
  }
  throw new Error(`the service ended with ${child.exitCode}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, never on a socket file.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
