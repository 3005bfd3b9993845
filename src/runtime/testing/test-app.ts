import { createApp, type App, type AppOptions, type RunningApp } from "../service/app.js";
import { NO_CREDENTIALS, type Credentials, type MakeCredentials } from "./credentials.js";
import { testDatabase } from "./test-database.js";

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
export type SampleFunction = (make: Make, turn: number) => object | Promise<object>;

/** Makes an entity of a resource, with these values, and returns a reference to it: `{ branchId: "..." }`. */
export type Make = (plural: string, values?: object) => Promise<Readonly<Record<string, string>>>;

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
