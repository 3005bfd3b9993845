/** Starts a service or a job in this process, and ends it on signals and uncaught errors. */

import closeWithGrace from "close-with-grace";
import type { FastifyBaseLogger } from "fastify";

import { readAuthentication } from "../auth/authentication.js";
import { withTimeout } from "../base/background.js";
import { OwnCodeFault, customCodeRunning, runCustom } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import { loggedError } from "../http/log.js";
import type { ServiceRegistry } from "../http/settings.js";
import { createApp, type App, type AppOptions, type RunningApp } from "./app.js";
import { readEnvironment, type Environment } from "./environment.js";
import { createService, type Configure, type Service, type ServiceOptions } from "./service.js";

const STOP_MILLISECONDS = 10_000;

/** The input of `startService`. */
interface StartOptions {
  /** `process.env`. `Environment` lists the variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configure?: Configure;
}

/**
 * Starts the service of src/app.ts, and stops it on SIGTERM or SIGINT. Reports an invalid setting in one line on stderr, with
 * exit code 1. `environment` is `process.env` with the variables of `.env`.
 */
export async function runApp<Provided extends object, OwnContext extends object>(
  app: App<Provided, OwnContext>,
  environment: StartOptions["environment"],
): Promise<void> {
  await start(app.registry, environment, async (options) =>
    createApp(app, { ...options, environment }),
  );
}

const TURNED_OFF =
  "AUTH_SCHEME=none turns off the bearer tokens of service.yaml: tokens are not read, and every caller is anonymous";

/** Starts a service and stops it on SIGTERM or SIGINT. Reports an invalid setting in one line on stderr, with exit code 1. */
export async function startService(
  registry: ServiceRegistry,
  options: StartOptions,
): Promise<void> {
  const { environment, configure } = options;
  await start(registry, environment, async (read) =>
    createService(registry, { ...read, ...(configure && { configure }) }),
  );
}

/**
 * Runs a job on the database of a service without listening: an import, a clean-up, a seed. Finishes the job's background work
 * before it returns. Reports a failure on stderr, with exit code 1. `instead` can replace the result of `provide`.
 */
export async function runJob<Provided extends object, OwnContext extends object>(
  app: App<Provided, OwnContext>,
  environment: StartOptions["environment"],
  job: (running: RunningApp<Provided, OwnContext>) => Promise<void>,
  instead: Pick<AppOptions<Provided>, "provided"> = {},
): Promise<void> {
  try {
    const read = readEnvironment(environment, app.registry.settings.service);
    const running = await createApp(app, { ...read, environment, ...instead });
    try {
      await throughJob(async () => job(running));
    } finally {
      await running.close();
    }
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}

type Create = (options: ServiceOptions) => Promise<Service>;

async function start(
  registry: Pick<ServiceRegistry, "settings">,
  environment: StartOptions["environment"],
  create: Create,
): Promise<void> {
  try {
    await launch(registry, environment, create);
  } catch (error) {
    process.stderr.write(`${registry.settings.service} cannot start: ${reasonOf(error)}\n`);
    process.exit(1);
  }
}

async function launch(
  { settings }: Pick<ServiceRegistry, "settings">,
  environment: StartOptions["environment"],
  create: Create,
): Promise<void> {
  const read = readEnvironment(environment, settings.service);
  const authentication = readAuthentication(environment, settings.authentication);
  const service = await create({ ...read, authentication });
  if (authentication.scheme !== settings.authentication.scheme) service.app.log.warn(TURNED_OFF);
  try {
    // Before the log line of the start, whose reader may send a signal at once.
    stopWithGrace(service, read);
    await service.listen();
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Signals of memory faults, which end the process. A listener would run into the same fault forever. */
const FAULTS = ["SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP", "SIGABRT"] as const;

/** Stops the service on a signal. A second signal ends the process at once, with an exit code other than 0. */
function stopWithGrace(service: Service, { stopOnUncaught }: Environment): void {
  const { log } = service.app;
  const stop = async (): Promise<void> => withTimeout(service.close(), STOP_MILLISECONDS);
  const skip = [...FAULTS, ...onUncaught({ log, stop, stopsAlways: stopOnUncaught })];
  closeWithGrace({ delay: STOP_MILLISECONDS, logger: log, skip }, async ({ signal }) => {
    log.info({ signal }, "stopping");
    await service.close();
  });
}

/** Returns the message of a refusal, the message and place of a mistake in custom code, or the stack of any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof StartRefusal) return error.message;
  if (error instanceof OwnCodeFault) return `${error.message}${placeOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the stack line on which custom code called the runtime, or an empty string. */
function placeOf({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  const own = frames.find((line) => !isOfRuntime(line) && !/node:|node_modules/.test(line));
  return own === undefined ? "" : `\n${own}`;
}

const EVENTS = ["uncaughtException", "unhandledRejection"] as const;

/** The handling of uncaught errors. */
interface Survivor {
  readonly log: FastifyBaseLogger;
  readonly stop: () => Promise<void>;
  /** True if an uncaught error of custom code stops the service, too. */
  readonly stopsAlways: boolean;
}

/**
 * Logs and counts uncaught errors of custom code, such as those of a call without `await`, and continues, because they belong
 * to one request. An uncaught error of generated code stops the service with exit code 1, and a second one ends the process at
 * once. Returns the handled events.
 */
function onUncaught({ log, stop, stopsAlways }: Survivor): (typeof EVENTS)[number][] {
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
 * Returns the custom code that an uncaught error comes from, or undefined for generated code. Node 20 loses the origin of a
 * microtask that throws. The error then counts as custom code's unless all files in its stack are generated.
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

/** Runs a job. An uncaught error of the job is reported on stderr, with exit code 1, and the job continues. */
async function throughJob(job: () => Promise<void>): Promise<void> {
  const hear = (error: unknown): void => {
    // Not an error of the job, so the process ends as without this listener.
    if (ownCodeOf(error) === undefined) throw error;
    const { stack, message } = loggedError(error);
    process.stderr.write(`The job left an error uncaught: ${stack || message}\n`);
    process.exitCode = 1;
  };
  for (const event of EVENTS) process.on(event, hear);
  try {
    await runCustom("the job", job);
  } finally {
    // Errors of unawaited calls are reported in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    for (const event of EVENTS) process.off(event, hear);
  }
}

/** The folder of the runtime in stack traces. Undefined in a bundle without source names. */
const RUNTIME = /\(?(?:file:\/\/)?([^()\s]+[\\/])service[\\/]start\.[jt]s:/.exec(
  new Error().stack ?? "",
)?.[1];

/** Reports whether a stack line belongs to the runtime. */
function isOfRuntime(line: string): boolean {
  return RUNTIME !== undefined && line.includes(RUNTIME);
}

/** Reports whether a stack line belongs to generated code or to the runtime. */
function isOurs(line: string): boolean {
  return isOfRuntime(line) || /[\\/](?:src|dist)[\\/]generated[\\/]/.test(line);
}
