import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { diagnostic } from "../diagnostics/diagnostic.js";
import type { Result } from "../diagnostics/result.js";
import { failure } from "../diagnostics/result.js";
import type { FileSystem } from "../files/file-system.js";
import { clear, internalPath, makeInternalFolder } from "./internal-folder.js";

/** One run of the generator, told apart from every other by its token. */
export interface Run {
  readonly token: string;
  readonly pid: number;
  /** When the process started, by a count of its machine; "" if that is unknown. */
  readonly started: string;
  readonly host: string;
  /** Changes when the machine restarts; "" if that is unknown. */
  readonly boot: string;
}

/** What the lock needs to know about the machine. */
export interface Machine {
  readonly run: Run;
  /** True if the process of the run is alive on this machine. */
  isAlive(run: Run): boolean;
  sleep(milliseconds: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** How long a run waits for another one, in milliseconds; a run takes seconds at most. */
const PATIENCE = 20_000;
/** After this long a run on another machine counts as dead, in milliseconds. */
const FOREIGN_PATIENCE = 600_000;
/** After this long an incomplete lock file belongs to a run that died, in milliseconds. */
const WRITING_PATIENCE = 5_000;
/** How many runs in a row can have died while each took over from the one before. */
const MOST_DEAD = 100;

/**
 * Runs `work` under the lock of the project (G5); the lock of a dead process is taken over.
 * Returns OWN-5 if a living process holds it too long.
 */
export function withLock<T>(
  files: FileSystem,
  root: string,
  machine: Machine,
  work: () => Result<T>,
): Result<T> {
  makeInternalFolder(files, root);
  const lock = internalPath(root, "lock");
  const deadline = machine.now() + PATIENCE;
  while (!acquire(files, lock, machine)) {
    if (machine.now() > deadline) return failure([busy(files, lock)]);
    machine.sleep(15);
  }
  try {
    return work();
  } finally {
    release(files, lock, machine.run);
  }
}

function acquire(files: FileSystem, lock: string, machine: Machine): boolean {
  if (files.createFile(lock, print(machine.run))) return true;
  const first = readHolder(files, lock);
  if (first === null || !isDead(first, machine)) return false;
  return succeed(files, lock, first, machine);
}

/**
 * Of all processes that see a dead holder, only one can create the file `lock.<its token>`: that one replaces the lock.
 * If it dies before, its successor is found in the same way.
 */
function succeed(files: FileSystem, lock: string, first: Holder, machine: Machine): boolean {
  const dead = [first];
  let claim = `${lock}.${first.run.token}`;
  while (!files.createFile(claim, print(machine.run))) {
    // A commit can bring files that name each other in a circle, or without an end: OWN-5 says which file to delete.
    if (dead.length === MOST_DEAD) return false;
    const claimant = readHolder(files, claim);
    if (claimant === null || !isDead(claimant, machine)) return false;
    dead.push(claimant);
    claim = `${lock}.${claimant.run.token}`;
  }
  if (readHolder(files, lock)?.run.token !== first.run.token) {
    files.remove(claim);
    return false;
  }
  // A folder can be there instead of each file.
  if (files.lstat(lock)?.kind === "directory") clear(files, lock);
  files.rename(claim, lock);
  for (const { run } of dead) clear(files, `${lock}.${run.token}`);
  return true;
}

function release(files: FileSystem, lock: string, run: Run): void {
  if (readHolder(files, lock)?.run.token === run.token) files.remove(lock);
}

interface Holder {
  readonly run: Run;
  /** When it took the lock, in milliseconds since 1970. */
  readonly since: number;
}

function isDead({ run, since }: Holder, machine: Machine): boolean {
  const age = machine.now() - since;
  if (run.host === "") return age > WRITING_PATIENCE;
  if (run.host !== machine.run.host) return age > FOREIGN_PATIENCE;
  return run.boot !== machine.run.boot || !machine.isAlive(run);
}

/** A part of the name of a file, which no file system finds too long. */
const TOKEN = /^[\w-]{1,64}$/;

/** Null if the file is gone. An incomplete file gives a run without a host. */
function readHolder(files: FileSystem, path: string): Holder | null {
  const status = files.lstat(path);
  if (status === null) return null;
  const since = status.mtimeMs;
  // A project can bring a link to what has no end, or a pipe.
  const lines = status.kind === "file" ? readLines(files, path) : [];
  const [token = "", pid = "", started = "", host = "", boot = "", end] = lines;
  if (end === undefined || !TOKEN.test(token)) {
    return { run: { token: `torn${status.ino}`, pid: 0, started, host: "", boot }, since };
  }
  return { run: { token, pid: Number(pid), started, host, boot }, since };
}

/** Empty if the file has been deleted meanwhile. */
function readLines(files: FileSystem, path: string): readonly string[] {
  try {
    return files.readText(path).split("\n");
  } catch (error) {
    if (files.exists(path)) throw error;
    return [];
  }
}

function print({ token, pid, started, host, boot }: Run): string {
  return `${[token, pid, started, host, boot].join("\n")}\n`;
}

function busy(files: FileSystem, lock: string): Diagnostic {
  const run = readHolder(files, lock)?.run;
  const holder =
    run === undefined || run.host === "" ? "unknown" : `process ${run.pid} on ${run.host}`;
  const span = { file: ".rulebound/lock", line: 1, column: 1, endLine: 1, endColumn: 1 };
  return diagnostic(
    "OWN-5",
    { span, source: "" },
    { holder, seconds: PATIENCE / 1000 },
    { suggestion: "If no other run is at work, delete .rulebound/lock and run the command again." },
  );
}
