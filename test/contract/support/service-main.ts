import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Context, EntityHooks } from "#runtime/entity/hooks";
import type { ServiceRegistry } from "#runtime/http/settings";
import type { ApiError } from "#runtime/base/errors";
import type { runApp, runJob, startService } from "#runtime/service/start";
import { makeSchema } from "../../support/postgres-schema.js";
import { serviceFolder } from "../../support/service-folders.js";
import type { Values } from "./custom-code.js";
import { throwingApp, throwingCode } from "./throwing-code.js";
import { loadRuntime } from "../../support/runtime.js";

// The generated service as a process of its own, the way its main.ts starts it. The environment can name other
// migrations and a shorter request time, or the shop; a widget called `slow` takes its time, one called
// `canary` fails, one called `careless` has values that break rules.

type Services = Readonly<
  Record<"depots" | "bookings", EntityService<never, Values, Values, Values>>
>;

interface Properties {
  name: string;
  size: number;
  note: string | null;
}

const {
  TEST_JOB,
  TEST_MAKE_SCHEMA,
  TEST_MIGRATIONS,
  TEST_REQUEST_SECONDS,
  TEST_SERVICE = "contract",
  TEST_SLOW_MILLISECONDS = "500",
  TEST_THROWS,
  TEST_WEBHOOK,
} = process.env;
const folder = serviceFolder(TEST_SERVICE);
/** One file loads in a tenth of the time. */
const isBundled = existsSync(join(folder, "bundle/generated/app.js"));
const compiled = join(folder, isBundled ? "bundle" : "dist");

/** A path that is only known here has no types; the generated code is checked in test/types. */
async function load<Module>(path: string): Promise<Module> {
  return (await import(join(compiled, path))) as Module;
}

const { registry } = await load<{ registry: ServiceRegistry }>("generated/app.js");
const start = await loadRuntime<{
  startService: typeof startService;
  runApp: typeof runApp;
  runJob: typeof runJob;
}>(compiled, "service/start");
if (TEST_SERVICE === "contract") await hookWidgets();

async function hookWidgets(): Promise<void> {
  const custom = await load<{ widgets: EntityHooks<Properties, Properties> }>("custom/widgets.js");
  custom.widgets.beforeCreate = async (widget) => {
    const { name } = widget;
    if (name === "careless") Object.assign(widget, { price: String(0.1 + 0.2), size: Number.NaN });
    if (name === "canary") throw new Error("canary: SELECT secret FROM /etc/passwd");
    if (name !== "slow") return;
    await new Promise((resolve) => setTimeout(resolve, Number(TEST_SLOW_MILLISECONDS)));
  };
  const { bookings } = await load<{ bookings: EntityHooks<Values, Values> }>("custom/bookings.js");
  // Each slot of a room once.
  bookings.beforeCreate = async ({ label, depot }, context) => {
    const { depots, bookings: booked } = (context as Context<unknown, Services>).services;
    const depotId = (depot as Values | null)?.["depotId"];
    if (depotId === undefined) return;
    await depots.lock(String(depotId));
    const { itemCount } = await booked.list({
      where: { "depot.depotId": depotId, label } as Values,
    });
    if (itemCount > 0) throw new Error("the slot is taken");
  };
  // What a change makes of the stored value goes wrong where two processes lose each other's changes.
  custom.widgets.beforeUpdate = (next, { size }) => {
    if (next.note?.startsWith("count up") === true) next.size = size + 1;
  };
}

/** Custom code that throws, of hooks and of src/app.ts. */
async function startThrowing(): Promise<void> {
  const errors = await loadRuntime<{ ApiError: typeof ApiError }>(compiled, "base/errors");
  type Hooks = EntityHooks<Properties, Properties>;
  const { widgets } = await load<{ widgets: Hooks }>("custom/widgets.js");
  const { logs } = await load<{ logs: Hooks }>("custom/logs.js");
  logs.beforeCreate = async () => new Promise((resolve) => setTimeout(resolve, 20));
  const code = throwingCode(errors.ApiError);
  widgets.beforeCreate = async ({ name }, context) => void (await code[name]?.(context));
  await start.runApp({ registry, definition: throwingApp(errors.ApiError) }, process.env);
}

/** Sends its events to one webhook. */
async function startAnnouncing(url: string): Promise<void> {
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
  const events = { webhooks: () => [{ name: "test", url, secrets, isPrivate: true }] };
  await start.runApp({ registry, definition: { provide: () => ({}), events } }, process.env);
}

async function leaveJob(): Promise<void> {
  const definition = { provide: () => ({}) };
  await start.runJob({ registry, definition }, process.env, async () => {
    queueMicrotask(() => {
      throw new Error("of a microtask");
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.stdout.write("done\n");
  });
}

/** What the process holds after everything that can be freed was freed. */
function reportMemory(app: FastifyInstance): void {
  const fault = (file: string): Error => {
    const stack = `Error: uncaught\n    at work (${folder}/${file}:1:1)\n    at node:internal/timers:1:1`;
    return Object.assign(new Error("uncaught"), { stack });
  };
  for (const [path, file] of [
    ["/generated", "src/generated/app.js"],
    ["/custom", "src/custom/widgets.js"],
  ] as const) {
    app.get(path, () => {
      setImmediate(() => void Promise.reject(fault(file)));
      return {};
    });
  }
  app.get("/memory", () => {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return { bytes: heapUsed + external, prototype: Object.getOwnPropertyNames(Object.prototype) };
  });
}

const { settings } = registry;
const limits = {
  ...settings.limits,
  ...(TEST_REQUEST_SECONDS !== undefined && { requestSeconds: Number(TEST_REQUEST_SECONDS) }),
};
const migrations = TEST_MIGRATIONS === undefined ? {} : { migrations: new URL(TEST_MIGRATIONS) };

const { DATABASE_URL = "" } = process.env;
if (TEST_MAKE_SCHEMA === "true" && DATABASE_URL.includes("search_path")) {
  await makeSchema(DATABASE_URL);
}
if (TEST_THROWS === "true") await startThrowing();
else if (TEST_WEBHOOK !== undefined) await startAnnouncing(TEST_WEBHOOK);
else if (TEST_JOB === "true") await leaveJob();
else
  await start.startService(
    { ...registry, ...migrations, settings: { ...settings, limits } },
    { environment: process.env, configure: reportMemory },
  );
