/**
 * Tests of a service: this file starts it on a database of its own; contract-tests.ts runs the rules of its contract;
 * development-commands.ts has `db:reset` and `token`. Nothing here runs in production.
 */
import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";

import { NOBODY } from "../auth/authentication.js";
import type { FieldIssue } from "../base/errors.js";
import { type Context, runValidators, type EntityHooks } from "../entity/hooks.js";
import { BusinessRules } from "../entity/problems.js";
import { createApp, type App, type AppOptions, type RunningApp } from "../service/app.js";
import type { WriteStep } from "../store/database.js";
import { isPostgresUrl } from "../store/open-database.js";
import { loadPostgres } from "../store/postgres/client.js";
import { NO_CREDENTIALS, type Credentials, type MakeCredentials } from "./credentials.js";

/** The app of the tests, with its fakes. */
export interface TestSetup<Provided extends object, OwnContext extends object> {
  readonly app: App<Provided, OwnContext>;
  /** Replaces the result of `provide` in src/app.ts. */
  readonly provided: Provided;
  /** The values of the variables that src/app.ts declares. */
  readonly environment: Readonly<Record<string, string>>;
  /** Bodies that the business rules accept, by resource. Their properties replace generated ones. */
  readonly samples: Samples;
  /** Roles of all callers in generated tests, in addition to those of the schemas, for checks in custom code. */
  readonly roles?: readonly string[];
  /** Makes the credentials of callers (AUT-1). Defaults to no authentication. */
  readonly credentials?: MakeCredentials;
}

/**
 * Values of bodies by plural of the resource, `orders`, or for one version, `v1/orders`. A state is not part of a body:
 * entities reach it by actions before other entities refer to them.
 */
export type Samples = Readonly<Record<string, object | SampleFunction>>;

/**
 * Makes new values for each body if custom code accepts some only once, such as a machine that is not rented yet. `turn` counts
 * the bodies.
 */
type SampleFunction = (make: Make, turn: number) => object | Promise<object>;

/** Creates an entity of a resource with these values, and returns a reference to it: `{ branchId: "..." }`. */
type Make = (plural: string, values?: object) => Promise<Readonly<Record<string, string>>>;

/** The exports of test/samples.ts. */
export type GivenSamples = Pick<TestSetup<object, object>, "samples" | "roles">;

/** Options of the app in one test. */
export type TestOptions<Provided> = Omit<AppOptions<Provided>, "databaseUrl" | "provided"> & {
  readonly provided?: Partial<Provided>;
};

/** A listening app on its own empty database, which is removed when the app is closed. */
export interface TestApp<Provided extends object, OwnContext extends object> extends RunningApp<
  Provided,
  OwnContext
> {
  readonly url: string;
  /** Returns the headers that identify a caller: `fetch(url, { headers: await app.headersOf({ subject: "ann" }) })`. */
  readonly headersOf: Credentials["headersOf"];
}

/** Starts the app of `src/main.ts` for a test, with fakes. */
export async function startTestApp<Provided extends object, OwnContext extends object>(
  {
    app,
    provided,
    environment,
    credentials,
  }: Omit<TestSetup<Provided, OwnContext>, keyof GivenSamples>,
  options: TestOptions<Provided> = {},
): Promise<TestApp<Provided, OwnContext>> {
  const declared = app.registry.settings.authentication;
  const { authentication, headersOf } = (await credentials?.(declared)) ?? NO_CREDENTIALS;
  const database = await testDatabase();
  const running = await createApp(app, {
    environment,
    authentication,
    // Tests send no events.
    events: {},
    ...options,
    provided: { ...provided, ...options.provided },
    databaseUrl: database.url,
  });
  const close = running.close.bind(running);
  await running.listen();
  return Object.assign(running, {
    headersOf,
    close: async () => {
      // A stop waits for clients that keep a connection, but the test sends no more requests.
      running.app.server.closeIdleConnections();
      await close();
      await database.remove();
    },
  });
}

const NOON = Date.UTC(2026, 0, 1, 12);

/** The context for a test of one hook: a fixed clock, an anonymous caller, no log, and no database. */
export interface HookTest extends Omit<Context, "stores" | "services" | "sql"> {
  /** The writes passed to `add`. The work passed to `once` runs each time. */
  readonly added: readonly WriteStep[];
}

/** Makes the parts of a context that do not depend on a service. */
export function hookTest(): HookTest {
  const added: WriteStep[] = [];
  return {
    caller: NOBODY,
    subject: NOBODY.subject,
    roles: NOBODY.roles,
    clock: () => NOON,
    requestId: "test",
    logger: silent(),
    added,
    add: (...writes) => void added.push(...writes),
    once: async (_key, work) => {
      await work();
      return true;
    },
  };
}

/** Some members of a part of the context, and some functions of each. */
export type Fake<Part> = Part extends (...parameters: never[]) => unknown
  ? Part
  : { readonly [Name in keyof Part]?: Fake<Part[Name]> };

/** The parts of a context that a test provides: as many as the tested code uses. */
export type Given<OwnContext extends Context> = Partial<
  Omit<OwnContext, "stores" | "services" | "sql">
> & {
  readonly stores?: Fake<OwnContext["stores"]>;
  readonly services?: Fake<OwnContext["services"]>;
  /** Returns the rows of any query. */
  readonly sql?: (
    strings: TemplateStringsArray,
    ...gaps: readonly unknown[]
  ) => { readonly rows: (readers: object) => Promise<readonly object[]> };
};

/** Fakes `sql` of a context without a database. Its names and readers exist, but have no values. */
export function fakeSql<Part>(given: Given<Context>["sql"]): Part {
  const nothing = (): unknown => name;
  const name: unknown = new Proxy(nothing, { get: () => name });
  const call = (): never => {
    throw new Error("sql was called, but the test does not provide it.");
  };
  return new Proxy(given ?? call, { get: () => name }) as Part;
}

/** Fakes a part with some functions. A call of any other function throws an error with its name. */
export function fakeOf<Part>(name: string, given: unknown): Part {
  const call = (): never => {
    throw new Error(`${name} was called, but the test does not provide it.`);
  };
  const get = (_target: object, property: string | symbol): unknown => {
    const value: unknown = Reflect.get(Object(given), property);
    if (typeof value === "function") return value.bind(given);
    const isPart = value === undefined || value === null || typeof value === "object";
    return isPart ? fakeOf(`${name}.${String(property)}`, value) : value;
  };
  // A missing member can be called or read, whatever its type in a service.
  return new Proxy(call, { get }) as Part;
}

function silent(): FastifyBaseLogger {
  const nothing = (): void => undefined;
  const logger: FastifyBaseLogger = {
    level: "silent",
    fatal: nothing,
    error: nothing,
    warn: nothing,
    info: nothing,
    debug: nothing,
    trace: nothing,
    silent: nothing,
    child: () => logger,
  };
  return logger;
}

interface TestDatabase {
  /** The `databaseUrl` for `createService`. */
  readonly url: string;
  /** Called after the service is closed. */
  remove(): Promise<void>;
}

/**
 * Creates an SQLite database in memory, or a new schema in the PostgreSQL database of TEST_DATABASE_URL. Rejects if the server
 * refuses this or cannot be reached.
 */
async function testDatabase(): Promise<TestDatabase> {
  const server = process.env["TEST_DATABASE_URL"] ?? "";
  if (server === "") return { url: "sqlite::memory:", remove: async () => undefined };
  if (!isPostgresUrl(server)) {
    throw new Error("TEST_DATABASE_URL is not of the form postgres://user:password@host:port/name");
  }
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.searchParams.set("options", `-csearch_path=${schema}`);
  await run(server, `CREATE SCHEMA ${schema}`);
  return { url: url.href, remove: () => run(server, `DROP SCHEMA ${schema} CASCADE`) };
}

async function run(url: string, text: string): Promise<void> {
  const { Client } = loadPostgres();
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    await client.query({ text });
  } finally {
    await client.end();
  }
}

/** Returns the problems that `validate` of some hooks reports, without a service. `stored` is null for a create. */
export async function runValidate<Entity, Properties, OwnContext>(
  hooks: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  next: Readonly<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<readonly FieldIssue[]> {
  const rules = BusinessRules.of(next, {});
  await runValidators(hooks, rules, stored, context);
  return rules.told;
}

/** Removes the rate limit, because all tests are one caller with many requests. */
export function unlimited<Provided extends object, OwnContext extends object>({
  registry,
  definition,
}: App<Provided, OwnContext>): App<Provided, OwnContext> {
  const { settings } = registry;
  const limits = { ...settings.limits, requestsPerMinute: null };
  return { registry: { ...registry, settings: { ...settings, limits } }, definition };
}
