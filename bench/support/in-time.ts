import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

/** In milliseconds; what a bench waits for takes a fraction of it. */
const PATIENCE = 60_000;
const PAUSE = 10;

/** Waits for something of a process. Ends the process and throws, with what it has printed, where it takes too long. */
export async function inTime<T>(
  child: ChildProcess,
  awaited: Promise<T>,
  printed = (): string => "",
): Promise<T> {
  const stop = new AbortController();
  const late = wait(PATIENCE, undefined, { signal: stop.signal }).then(() => {
    child.kill("SIGKILL");
    const asked = child.spawnargs.join(" ");
    throw new Error(`${asked} took longer than ${PATIENCE / 1000} s:\n${printed()}`);
  });
  try {
    return await Promise.race([awaited, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}

/** Waits until something is found in what a process prints. Throws, with that, where it ends or takes too long. */
export async function foundIn<T>(
  child: ChildProcess,
  printed: () => string,
  find: (printed: string) => T | null,
): Promise<T> {
  let isOver = false;
  const search = async (): Promise<T> => {
    while (!isOver) {
      const found = find(printed());
      if (found !== null) return found;
      if (child.exitCode !== null || child.signalCode !== null) break;
      await wait(PAUSE);
    }
    throw new Error(`${child.spawnargs.join(" ")} has ended:\n${printed()}`);
  };
  return inTime(child, search(), printed).finally(() => (isOver = true));
}
