import type { FastifyInstance } from "fastify";

import type { Caller } from "../auth/authentication.js";
import { runCustom } from "../base/custom-code.js";
import { StartRefusal } from "../base/errors.js";
import type { Later } from "../entity/hooks.js";
import type { CloudEvent } from "../events/cloud-event.js";
import type { EventSinks } from "../events/event-sinks.js";
import type { LoggerOptions } from "../http/log.js";
import type { ServiceRegistry } from "../http/settings.js";
import type { DeclaredRoute } from "./custom-routes.js";
import { createService, type Extension, type Service, type ServiceOptions } from "./service.js";
import type { Values, Variables } from "./variables.js";

/** What src/app.ts may use of the process. */
export interface AppGiven<Declared extends Variables> {
  /** The variables that `environment` declares, read. */
  readonly environment: Values<Declared>;
}

/** An app that runs; `close` ends it when the requests under way are answered. */
export interface RunningApp<Provided, OwnContext extends object> extends Service {
  readonly provided: Provided;
  /** The context of a job, which nobody has sent: it may do everything, or what a caller may. */
  jobContext(caller?: Caller): OwnContext;
  /** Everything that requests can do, for a job that may do everything; each call is a transaction. */
  readonly services: ServicesOf<OwnContext>;
}

/** The services of a context. */
type ServicesOf<OwnContext> = OwnContext extends { readonly services: infer Services }
  ? Services
  : never;

/** What src/app.ts says of a service, beside its schemas. */
export interface AppDefinition<
  Declared extends Variables,
  Provided extends object,
  OwnContext extends object,
  Event extends CloudEvent = never,
> {
  /** Environment variables of the service's own, read and checked at the start. */
  readonly environment?: Declared;
  /** Makes what hooks and routes find in their `context`. A test passes something else instead, and this is not called. */
  provide(given: AppGiven<Declared>): Later<Provided>;
  /** Plugins of Fastify: they come before every route, and before what is answered where there is none. */
  plugins?(fastify: FastifyInstance, given: AppGiven<Declared>): Later;
  /** Routes of the service's own. */
  routes?(given: AppGiven<Declared>): readonly DeclaredRoute[];
  /** Options of the log (pino), but for its level, which is LOG_LEVEL's. */
  readonly logger?: LoggerOptions;
  /** What has to be there beside the database before `/readyz` is 200. Each rejects where it is not. */
  readonly checks?: Readonly<Record<string, (provided: Provided) => Promise<void>>>;
  /** Where the events of the service go (EVT-1): resources whose schemas say `events` have some. */
  readonly events?: EventSinks<Event, OwnContext>;
  /** Before the service listens. */
  onStart?(running: RunningApp<Provided, OwnContext>): Later;
  /** When the last answer has been sent, and all that follows answers has ended. */
  onStop?(running: RunningApp<Provided, OwnContext>): Later;
}

/** A service as a whole: what its schemas say, and what src/app.ts does. */
export interface App<Provided extends object, OwnContext extends object> {
  readonly registry: ServiceRegistry<Provided, OwnContext>;
  readonly definition: AppDefinition<Variables, Provided, OwnContext>;
}

/** How to run an app; a test gives it what it provides. */
export interface AppOptions<Provided> extends ServiceOptions {
  /** Instead of what `provide` makes. */
  readonly provided?: Provided;
  /** The variables that src/app.ts declares; left out: none is set. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where events go, instead of what src/app.ts says. */
  readonly events?: EventSinks<CloudEvent, object>;
}

/** Puts an app together, without listening. Throws `StartRefusal`. */
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
  // The contexts of a service are those of its registry.
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

/** Reads the variables that src/app.ts declares. Throws `StartRefusal` that names each one that is missing or wrong, and shows no value. */
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
  // Each name has what its own variable read.
  return Object.fromEntries(values) as Values<Declared>;
}
