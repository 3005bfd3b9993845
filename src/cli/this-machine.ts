import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Machine, Run } from "../apply/process-lock.js";
import { nodeFiles } from "../files/node-files.js";

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  let run: Run | null = null;
  return {
    get run() {
      run ??= thisRun();
      return run;
    },
    isAlive: ({ pid, started }) => exists(pid) && startOf(pid) === started,
    sleep: (milliseconds) => void Atomics.wait(SLEEP, 0, 0, milliseconds),
    now: () => Date.now(),
  };
}

/** Bytes that cannot be guessed. */
export function random(bytes: number): Uint8Array {
  return randomBytes(bytes);
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4));

function thisRun(): Run {
  return {
    token: randomUUID(),
    pid: process.pid,
    started: startOf(process.pid),
    host: hostname(),
    boot: readOr("/proc/sys/kernel/random/boot_id", "").trim(),
  };
}

/** Signal 0 asks, and does nothing. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Field 22 of /proc/<pid>/stat: a pid is used again, but not with the same start. "" without /proc. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function readOr(path: string, otherwise: string): string {
  try {
    return nodeFiles.readText(path);
  } catch {
    return otherwise;
  }
}
