import type { FastifyInstance } from "fastify";

import type { Caller } from "../auth/authentication.js";
import { runCustom } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import type { Later } from "../entity/hooks.js";
import type { CloudEvent, EventSinks } from "../events/event-sinks.js";
import type { LoggerOptions } from "../http/log.js";
import type { ServiceRegistry } from "../http/settings.js";
import type { DeclaredRoute } from "./custom-routes.js";
import { createService, type Extension, type Service, type ServiceOptions } from "./service.js";
import type { Values, Variables } from "./variables.js";

/** The values that the functions of src/app.ts receive. */
export interface AppGiven<Declared extends Variables> {
  /** The values of the variables in `environment`. */
  readonly environment: Values<Declared>;
}

/** A running app. `close` finishes the current requests and stops it. */
export interface RunningApp<Provided, OwnContext extends object> extends Service {
  readonly provided: Provided;
  /** Returns the context of a job. A job without a caller may do everything. */
  jobContext(caller?: Caller): OwnContext;
  /** The services with unrestricted access, for jobs. Each call is a transaction. */
  readonly services: ServicesOf<OwnContext>;
}

type ServicesOf<OwnContext> = OwnContext extends { readonly services: infer Services }
  ? Services
  : never;

/** The definition of a service in src/app.ts, in addition to its schemas. */
export interface AppDefinition<
  Declared extends Variables,
  Provided extends object,
  OwnContext extends object,
  Event extends CloudEvent = never,
> {
  /** Environment variables of custom code, which are read and checked at the start. */
  readonly environment?: Declared;
  /** Creates the values that `context` provides to hooks and routes. Not called in tests, which pass their own values. */
  provide(given: AppGiven<Declared>): Later<Provided>;
  /** Adds plugins of Fastify. They run before every route, and before the response to an unknown path. */
  plugins?(fastify: FastifyInstance, given: AppGiven<Declared>): Later;
  /** Returns the custom routes. */
  routes?(given: AppGiven<Declared>): readonly DeclaredRoute[];
  /** Options of the log (pino), except its level, which LOG_LEVEL sets. */
  readonly logger?: LoggerOptions;
  /** Checks that `/readyz` makes in addition to the database. Each rejects if a dependency is missing. */
  readonly checks?: Readonly<Record<string, (provided: Provided) => Promise<void>>>;
  /** The sinks of the service's events (EVT-1). Only resources whose schema has `events` have any. */
  readonly events?: EventSinks<Event, OwnContext>;
  /** Runs before the service listens. */
  onStart?(running: RunningApp<Provided, OwnContext>): Later;
  /** Runs when all responses are sent and all work after them has ended. */
  onStop?(running: RunningApp<Provided, OwnContext>): Later;
}

/** A service: its schemas, and src/app.ts. */
export interface App<Provided extends object, OwnContext extends object> {
  readonly registry: ServiceRegistry<Provided, OwnContext>;
  readonly definition: AppDefinition<Variables, Provided, OwnContext>;
}

/** Options of an app. A test passes its own `provided`. */
export interface AppOptions<Provided> extends ServiceOptions {
  /** Replaces the result of `provide`. */
  readonly provided?: Provided;
  /** The values of the variables that src/app.ts declares. Defaults to none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Replaces the sinks of src/app.ts. */
  readonly events?: EventSinks<CloudEvent, object>;
}

/** Assembles an app without listening. Throws `StartRefusal`. */
export async function createApp<Provided extends object, OwnContext extends object>(
  { registry, definition }: App<Provided, OwnContext>,
  options: AppOptions<Provided> = {},
): Promise<RunningApp<Provided, OwnContext>> {
  const { plugins, checks = {}, logger } = definition;
  const events = options.events ?? definition.events;
  const environment = readVariables(definition.environment ?? {}, options.environment ?? {});
  const given = { environment };
  const provided =
    options.provided ??
    (await runCustom("provide of src/app.ts", async () => definition.provide(given)));
  let running: RunningApp<Provided, OwnContext> | null = null;
  const own = Object.entries(checks).map(([name, check]) => [name, () => check(provided)] as const);
  const extension: Extension = {
    provided,
    ...(plugins && {
      plugins: async (fastify) =>
        runCustom("plugins of src/app.ts", async () => plugins(fastify, given)),
    }),
    routes: definition.routes?.(given) ?? [],
    checks: Object.fromEntries(own),
    ...(events && { events }),
    onStop: async () => {
      const stopped = running;
      if (stopped === null) return;
      await runCustom("onStop of src/app.ts", async () => definition.onStop?.(stopped));
    },
  };
  const service = await createService(registry, {
    ...options,
    ...(logger && { logger }),
    extension,
  });
  // The registry determines the type of the contexts.
  const { services } = service.jobContext() as { readonly services: ServicesOf<OwnContext> };
  running = Object.assign(service, { provided, services }) as RunningApp<Provided, OwnContext>;
  try {
    const started = running;
    await runCustom("onStart of src/app.ts", async () => definition.onStart?.(started));
  } catch (error) {
    await service.close().catch((closing: unknown) => {
      service.app.log.error({ err: closing }, "stopping after a start that failed");
    });
    throw error;
  }
  return running;
}

/** Reads the declared variables. Throws `StartRefusal` with the names of all missing or invalid ones, without values. */
function readVariables<Declared extends Variables>(
  declared: Declared,
  environment: Readonly<Record<string, string | undefined>>,
): Values<Declared> {
  const wrong: string[] = [];
  const values = Object.entries(declared).map(([name, variable]) => {
    const given = environment[name] ?? "";
    const value = given === "" ? variable.otherwise : variable.read(given);
    if (value === undefined) wrong.push(`${name} must be set, to ${variable.form}`);
    if (value === null) wrong.push(`${name} must be ${variable.form}`);
    return [name, value] as const;
  });
  if (wrong.length > 0) throw new StartRefusal(`${wrong.join("; ")}.`);
  // Each variable has read the value of its name.
  return Object.fromEntries(values) as Values<Declared>;
}
