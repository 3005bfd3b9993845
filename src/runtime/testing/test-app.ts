import { randomUUID } from "node:crypto";
import type { FastifyBaseLogger } from "fastify";

import { NOBODY } from "../auth/authentication.js";
import type { FieldIssue } from "../base/errors.js";
import { type Context, askRules, type EntityHooks } from "../entity/hooks.js";
import { BusinessRules } from "../entity/problems.js";
import { createApp, type App, type AppOptions, type RunningApp } from "../service/app.js";
import type { WriteStep } from "../store/database.js";
import { isPostgresUrl } from "../store/open-database.js";
import { loadPostgres } from "../store/postgres/client.js";
import { NO_CREDENTIALS, type Credentials, type MakeCredentials } from "./credentials.js";

/** The app that tests start, and what they give it. */
export interface TestSetup<Provided extends object, OwnContext extends object> {
  readonly app: App<Provided, OwnContext>;
  /** Instead of what `provide` of src/app.ts makes. */
  readonly provided: Provided;
  /** The variables that src/app.ts declares. */
  readonly environment: Readonly<Record<string, string>>;
  /** Bodies that business rules accept, by resource: their properties stand instead of generated ones. */
  readonly samples: Samples;
  /** What every caller of the generated tests has beside the roles that the schemas name, so that own code serves it. */
  readonly roles?: readonly string[];
  /** AUT-1: who can call; left out: the service does not ask. */
  readonly credentials?: MakeCredentials;
}

/**
 * Values of bodies by the plural of their resource, `orders`, or for one version, `v1/orders`. That of a state is in no body:
 * entities are led there before others refer to them.
 */
export type Samples = Readonly<Record<string, object | SampleFunction>>;

/**
 * Makes values for each body anew, where own code takes some of them once: a machine that nobody has rented yet. `turn` counts
 * the bodies.
 */
type SampleFunction = (make: Make, turn: number) => object | Promise<object>;

/** Makes an entity of a resource, with these values, and returns a reference to it: `{ branchId: "..." }`. */
type Make = (plural: string, values?: object) => Promise<Readonly<Record<string, string>>>;

/** What test/samples.ts exports. */
export type GivenSamples = Pick<TestSetup<object, object>, "samples" | "roles">;

/** How one test wants its app. */
export type TestOptions<Provided> = Omit<AppOptions<Provided>, "databaseUrl" | "provided"> & {
  readonly provided?: Partial<Provided>;
};

/** An app that listens, on an empty database of its own, which goes when the app is closed. */
export interface TestApp<Provided extends object, OwnContext extends object> extends RunningApp<
  Provided,
  OwnContext
> {
  readonly url: string;
  /** What a caller sends to be known: `fetch(url, { headers: await app.headersOf({ subject: "ann" }) })`. */
  readonly headersOf: Credentials["headersOf"];
}

/** Starts the app of a service for a test: the same that `src/main.ts` starts, with fakes. */
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
    // What tests do is told to nobody.
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
      // A stop waits for clients that keep a connection; the test sends nothing more.
      running.app.server.closeIdleConnections();
      await close();
      await database.remove();
    },
  });
}

const NOON = Date.UTC(2026, 0, 1, 12);

/** What a test of one hook needs to call it: a fixed clock, nobody as the caller, no log, and no database. */
export interface HookTest extends Omit<Context, "stores" | "services" | "sql"> {
  /** What was given to `add`. What `once` is given is done each time. */
  readonly added: readonly WriteStep[];
}

/** The parts of a context that do not depend on a service. */
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

/** What a test gives of a context: as much as the code that it calls uses. */
export type Given<OwnContext extends Context> = Partial<
  Omit<OwnContext, "stores" | "services" | "sql">
> & {
  readonly stores?: Fake<OwnContext["stores"]>;
  readonly services?: Fake<OwnContext["services"]>;
  /** What a statement finds, whatever it is. */
  readonly sql?: (
    strings: TemplateStringsArray,
    ...gaps: readonly unknown[]
  ) => { readonly rows: (readers: object) => Promise<readonly object[]> };
};

/** `sql` of a context, without a database: its names and readers are there, and stand for nothing. */
export function fakeSql<Part>(given: Given<Context>["sql"]): Part {
  const nothing = (): unknown => name;
  const name: unknown = new Proxy(nothing, { get: () => name });
  const call = (): never => {
    throw new Error("sql was called, but the test does not provide it.");
  };
  return new Proxy(given ?? call, { get: () => name }) as Part;
}

/** A part of which a test gives some functions: a call of any other one throws, and names it. */
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
  // What is missing can be called or looked into, whatever it is in a service.
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

/** An empty database of a test. */
interface TestDatabase {
  /** What `createService` takes as `databaseUrl`. */
  readonly url: string;
  /** To be called when the service is closed. */
  remove(): Promise<void>;
}

/**
 * SQLite in memory; a schema of its own in the PostgreSQL database that TEST_DATABASE_URL names, if it does. Rejects
 * when that server cannot be reached, or does not let the role make schemas.
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

/** The problems that `validate` of some hooks tells, without a service; `stored` is null for a create. */
export async function runValidate<Entity, Properties, OwnContext>(
  hooks: Pick<EntityHooks<Entity, Properties, OwnContext>, "validate">,
  next: Readonly<Properties>,
  stored: Readonly<Entity> | null,
  context: OwnContext,
): Promise<readonly FieldIssue[]> {
  const rules = BusinessRules.of(next, {});
  await askRules(hooks, rules, stored, context);
  return rules.told;
}

/** The tests are one caller, who sends more requests in a minute than another may. */
export function unlimited<Provided extends object, OwnContext extends object>({
  registry,
  definition,
}: App<Provided, OwnContext>): App<Provided, OwnContext> {
  const { settings } = registry;
  const limits = { ...settings.limits, requestsPerMinute: null };
  return { registry: { ...registry, settings: { ...settings, limits } }, definition };
}
