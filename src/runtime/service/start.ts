import closeWithGrace from "close-with-grace";

import { readAuthentication } from "../auth/authentication-settings.js";
import { OwnCodeFault } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import { withTimeout } from "../base/background.js";
import type { ServiceRegistry } from "../http/settings.js";
import { readEnvironment, type Environment } from "./environment.js";
import { createApp, type App, type AppOptions, type RunningApp } from "./app.js";
import { createService, type Configure, type Service, type ServiceOptions } from "./service.js";
import { isOfRuntime } from "./stack-frames.js";
import { onUncaught, throughJob } from "./uncaught.js";

const STOP_MILLISECONDS = 10_000;

/** What a process gives to its service. */
export interface StartOptions {
  /** `process.env`; see `Environment` for the variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configure?: Configure;
}

/**
 * Starts the service that src/app.ts defines, and stops it on SIGTERM or SIGINT; a bad setting is one line on stderr and exit
 * code 1. `environment` is `process.env`, with what `.env` adds to it.
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

/** Starts a service and stops it on SIGTERM or SIGINT; a bad setting is one line on stderr and exit code 1. */
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
 * Does a job on the database of a service, without listening: an import, a clean-up, a seed. What the job began is ended before
 * the process does; a failure is one line on stderr and exit code 1. `instead` passes what `provide` would make, which is not called.
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
    // Before it says that it listens: whoever reads that may tell it to stop at once.
    stopWithGrace(service, read);
    await service.listen();
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The system ends a process for a fault in its memory; whoever listens to it runs into the same fault without end. */
const FAULTS = ["SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGTRAP", "SIGABRT"] as const;

/** A second signal ends the process at once, with another exit code than 0. */
function stopWithGrace(service: Service, { stopOnUncaught }: Environment): void {
  const { log } = service.app;
  const stop = async (): Promise<void> => withTimeout(service.close(), STOP_MILLISECONDS);
  const skip = [...FAULTS, ...onUncaught({ log, stop, stopsAlways: stopOnUncaught })];
  closeWithGrace({ delay: STOP_MILLISECONDS, logger: log, skip }, async ({ signal }) => {
    log.info({ signal }, "stopping");
    await service.close();
  });
}

/** A refusal says it all in its message, and a fault of own code with its place; of anything else the stack helps. */
function reasonOf(error: unknown): string {
  if (error instanceof StartRefusal) return error.message;
  if (error instanceof OwnCodeFault) return `${error.message}${placeOf(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Where own code called the runtime, on a line of its own; empty where the stack does not tell. */
function placeOf({ stack = "" }: Error): string {
  const frames = stack.split("\n").filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line));
  const own = frames.find((line) => !isOfRuntime(line) && !/node:|node_modules/.test(line));
  return own === undefined ? "" : `\n${own}`;
}
