import type { FastifyBaseLogger } from "fastify";

import { customCodeRunning, runCustom } from "../base/custom-code.js";
import { loggedError } from "../http/logged-error.js";
import { isOurs } from "./stack-frames.js";

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;

/** What becomes of the service after an error that nothing has caught. */
interface Survivor {
  readonly log: FastifyBaseLogger;
  readonly stop: () => Promise<void>;
  /** Whether an error of custom code stops the service, too. */
  readonly stopsAlways: boolean;
}

/**
 * Logs and counts the errors of custom code that are not caught, such as those of a call that it does not await, and goes on: they
 * belong to one request. One that comes from the generated code alone stops the service with exit code 1, a second one at once.
 * Returns the events it handles.
 */
export function onUncaught({ log, stop, stopsAlways }: Survivor): (typeof EVENTS)[number][] {
  let uncaught = 0;
  let isStopping = false;
  const hear = (err: unknown): void => {
    const thrownBy = ownCodeOf(err);
    if (thrownBy !== undefined) {
      uncaught += 1;
      const fields = { thrownBy, uncaught, err };
      log.error(fields, "custom code left an error uncaught: is an await missing?");
      if (!stopsAlways) return;
    } else log.error({ err }, "stopping after an error that nobody caught");
    if (isStopping) process.exit(1);
    isStopping = true;
    void stop()
      .catch((fault: unknown) => log.error({ err: fault }, "stopping failed"))
      .finally(() => process.exit(1));
  };
  for (const event of EVENTS) process.on(event, hear);
  return [...EVENTS];
}

/**
 * The custom code that an uncaught error comes from; undefined: it comes from the generated code. Node 20 no longer knows who
 * began a microtask that throws: then it is custom code's, unless all files in its stack are generated ones.
 */
function ownCodeOf(error: unknown): string | undefined {
  return customCodeRunning() ?? (isOfGenerated(error) ? undefined : "custom code");
}

function isOfGenerated(error: unknown): boolean {
  const frames = (loggedError(error).stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  const files = frames.filter(
    (line) => isOurs(line) || !/node:|node_modules|<anonymous>/.test(line),
  );
  return files.length > 0 && files.every(isOurs);
}

/** Does a job; an error that it leaves uncaught is a line on stderr and exit code 1, and the job goes on. */
export async function throughJob(job: () => Promise<void>): Promise<void> {
  const hear = (error: unknown): void => {
    // Not the job's: the process ends as without this listener.
    if (ownCodeOf(error) === undefined) throw error;
    const { stack, message } = loggedError(error);
    process.stderr.write(`The job left an error uncaught: ${stack || message}\n`);
    process.exitCode = 1;
  };
  for (const event of EVENTS) process.on(event, hear);
  try {
    await runCustom("the job", job);
  } finally {
    // What it has left behind is reported in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    for (const event of EVENTS) process.off(event, hear);
  }
}
