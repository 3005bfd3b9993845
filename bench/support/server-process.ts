import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inTime } from "./in-time.js";

/** A server of the bench in a process of its own, that can be asked what it has cost. */
export interface ServerProcess {
  readonly port: number;
  /** Microseconds of CPU that it has used since its start, user and system. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a program of bench/servers; it sends its port, and answers each message with its CPU time. */
export async function startServer(
  program: string,
  parameters: readonly string[],
): Promise<ServerProcess> {
  const path = fileURLToPath(new URL(`../servers/${program}.ts`, import.meta.url));
  const options = { execArgv: ["--import", "tsx"] };
  const child = fork(path, parameters, {
    ...options,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const port = await inTime(child, answer(child));
  return {
    port,
    cpu: () => {
      child.send("cpu");
      return inTime(child, answer(child));
    },
    stop: async () => {
      child.disconnect();
      await inTime(child, once(child, "exit"));
    },
  };
}

/** The next number that the process sends. Throws when it ends instead. */
function answer(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error(`${child.spawnargs.join(" ")} has ended`));
    child.once("exit", onExit);
    child.once("message", (sent) => {
      child.off("exit", onExit);
      resolve(Number(sent));
    });
  });
}
