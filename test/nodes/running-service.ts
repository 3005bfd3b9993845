import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { listeningIn } from "../support/listening.js";
import type { Runtime } from "./runtime.js";

/** A service in a process of its own. */
export interface RunningService {
  readonly url: string;
  /** Sends SIGTERM. Throws unless it exits with 0 and wrote neither a warning into its log nor anything on stderr. */
  stop(): Promise<void>;
}

/** How long it may take to start, and to stop, in milliseconds. */
const PATIENCE = 30_000;
/** A level of pino. */
const WARN = 40;

/** Starts a service on a free port of loopback. Throws, with what it printed, when it ends instead of listening. */
export async function startService(
  { node, env }: Runtime,
  { folder, parameters }: { readonly folder: string; readonly parameters: readonly string[] },
): Promise<RunningService> {
  const child = spawn(node, parameters, { cwd: folder, env: { ...env, PORT: "0" } });
  const ended = once(child, "close");
  const written = { stdout: "", stderr: "" };
  child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      written.stdout += chunk.toString();
      const found = listeningIn(written.stdout)?.url;
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`it ended: ${written.stdout}${written.stderr}`)));
    child.once("error", reject);
    setTimeout(() => {
      reject(new Error(`it does not listen: ${written.stdout}${written.stderr}`));
      child.kill("SIGKILL");
    }, PATIENCE).unref();
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const forced = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    const [code, signal]: (number | string | null)[] = await ended;
    clearTimeout(forced);
    assert.deepEqual(
      { code, signal, stderr: written.stderr },
      { code: 0, signal: null, stderr: "" },
    );
    assert.deepEqual(warningsIn(written.stdout), []);
  };
  return { url, stop };
}

function warningsIn(log: string): readonly string[] {
  const lines = log.split("\n").filter((line) => line !== "");
  // Every line of the log is an object of pino's.
  return lines.filter((line) => (JSON.parse(line) as { level: number }).level >= WARN);
}
