import { writeSync } from "node:fs";
import { Socket } from "node:net";

import type { FastifyServerOptions } from "fastify";

import { withTimeout } from "../base/background.js";

/** Options of pino that do not decide where the log goes. */
export type LoggerOptions = Pick<
  Exclude<FastifyServerOptions["logger"], boolean | undefined>,
  "base" | "formatters" | "messageKey" | "redact" | "serializers" | "timestamp"
>;

const STDOUT = 1;
/** Of lines that wait for a reader; what comes beyond is dropped. */
const MOST_WAITING_BYTES = 1024 * 1024;
const FLUSH_MILLISECONDS = 1000;

/** Known to every copy of this file: several services in one process, as tests start them, have a runtime each. */
const MARK = Symbol.for("LogOutput");
const ignore = Object.assign((): void => undefined, { [MARK]: true });

/**
 * Where the log goes: stdout. A full disk, or a reader that is slow or gone, costs lines and nothing else; how many is
 * given to `report` when lines can be written again.
 */
export class LogOutput {
  private dropped = 0;
  private isTorn = false;
  private readonly stream: Socket | null;

  constructor(private readonly report: (dropped: number) => void) {
    const { stdout } = process;
    // A pipe is written to without waiting for its reader; anything else is a file, or behaves like one.
    this.stream = stdout instanceof Socket ? stdout : null;
    // Each write is told of its own error; without a listener it would end the process.
    const isHeard = this.stream?.listeners("error").some((listener) => MARK in listener);
    if (isHeard === false) this.stream?.on("error", ignore);
  }

  /** Writes a line, or drops it. */
  write(line: string): void {
    if (this.stream === null) this.writeToFile(line);
    else if (this.stream.writableLength > MOST_WAITING_BYTES) this.dropped += 1;
    else this.stream.write(line, (error) => this.settle(error ?? null));
  }

  /** Resolves when every line has left, or will not leave any more. */
  async flush(): Promise<void> {
    const { stream } = this;
    if (stream === null || stream.writableLength === 0) return;
    const written = new Promise((resolve) => stream.write("", resolve));
    await withTimeout(written, FLUSH_MILLISECONDS).catch(() => undefined);
  }

  /** At once: what is held back is lost when the process ends. */
  private writeToFile(line: string): void {
    // What could be written of an earlier line must not swallow this one.
    const bytes = Buffer.from(this.isTorn ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(STDOUT, bytes, written);
      this.isTorn = false;
      this.settle(null);
    } catch (error) {
      this.isTorn ||= written > 0;
      this.settle(error);
    }
  }

  private settle(error: unknown): void {
    if (error !== null) {
      this.dropped += 1;
      return;
    }
    const { dropped, stream } = this;
    const isBehind = stream !== null && stream.writableLength > MOST_WAITING_BYTES / 2;
    if (dropped === 0 || isBehind) return;
    this.dropped = 0;
    this.report(dropped);
  }
}
