import { createColors } from "picocolors";
import { printable, visible } from "../diagnostics/visible.js";

/** Back to the start of the line, which is emptied. */
const CLEAR = "\r\u001b[K";

/** Where the command line prints, and whether in colour. */
export interface Terminal {
  readonly colors: ReturnType<typeof createColors>;
  out(text: string): void;
  err(text: string): void;
  /** A line for a person who waits, in place of the one before and until `out` or `err` print; only a terminal has it. */
  progress(text: string): void;
}

/**
 * The process's own terminal; colour only where a person reads it and does not object (NO_COLOR). No text controls it,
 * wherever that comes from.
 */
export function processTerminal(): Terminal {
  const wanted = (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb";
  // A stream that is not a terminal has no `isTTY`, and for undefined the library would look for itself.
  const hasColors = wanted && process.stdout.isTTY === true && process.stderr.isTTY === true;
  let isWaiting = false;
  const clear = (): void => {
    if (isWaiting) process.stderr.write(CLEAR);
    isWaiting = false;
  };
  return {
    colors: createColors(hasColors),
    out: (text) => {
      clear();
      process.stdout.write(printable(text, hasColors));
    },
    err: (text) => {
      clear();
      process.stderr.write(printable(text, hasColors));
    },
    progress: (text) => {
      if (process.stderr.isTTY !== true) return;
      clear();
      // A longer line would wrap, and stay.
      process.stderr.write(visible(text).slice(0, process.stderr.columns - 1));
      isWaiting = true;
    },
  };
}

/** Ends quietly when the reader closes the pipe (`| head`), and on a signal only between two steps of work. */
export function handleSignals(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }
  // Writing is synchronous: a signal that arrives meanwhile is answered when it is done.
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}

/** From now on, the first signal asks for an orderly end, and the second one ends the process. */
export function stopOnSignal(): { signal: AbortSignal; exitCode: () => number | null } {
  const stop = new AbortController();
  let exitCode: number | null = null;
  for (const [name, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.removeAllListeners(name);
    process.on(name, () => {
      if (exitCode !== null) process.exit(code);
      exitCode = code;
      stop.abort();
    });
  }
  return { signal: stop.signal, exitCode: () => exitCode };
}
