import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { pause, places } from "../contract/support/process-tests.js";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { startProcess } from "../contract/support/service-process.js";
import { query } from "../support/postgres-schema.js";
import { serviceFolder } from "../support/service-folders.js";
import { renderValid } from "../support/render-files.js";
import { migrate, rows } from "./support/migrated-database.js";
import {
  compiled,
  DATABASES,
  newDatabase,
  orderService,
  placeOrder,
  readOrder,
  refusal,
  whileServing,
  type OrderService,
  type Yaml,
} from "./support/order-services.js";

// A release that serves while the next one migrates: no value is changed, and it answers right or 503.

const PROPERTIES = {
  price: { type: "decimal", scale: 2 },
  lines: { type: "array", items: { type: "object", properties: { label: "string" } } },
};
const ORDER = { price: "12.50", lines: [{ label: "first" }] };
const older = await orderService("older-release", PROPERTIES);
const newer = await orderService(
  "newer-release",
  {
    price: { type: "decimal", scale: 3 },
    lines: {
      type: "array",
      items: { type: "object", properties: { title: { type: "string", renamedFrom: "label" } } },
    },
  },
  {},
  older,
);
const wider = await orderService("wider-release", { ...PROPERTIES, note: "string" }, {}, older);
const MIGRATIONS = pathToFileURL(`${serviceFolder("storage/newer-release")}/migrations/`);

function waiting(service: OrderService, migrateWaitSeconds: number, log: object[] = []) {
  const note = (line: Record<string, unknown>): typeof line => {
    log.push(line);
    return line;
  };
  const logger = { formatters: { log: note }, hooks: { streamWrite: () => "" } };
  const options = { migrateWaitSeconds, logLevel: "warn", logger };
  const create: OrderService["createService"] = (registry, given) =>
    service.createService(registry, { ...given, ...options });
  return { ...service, createService: create };
}

test.each(DATABASES)(
  "%s: what an older release could not live with is not applied while it serves",
  async (database) => {
    const url = await newDatabase(database);
    const order = await whileServing(older, url, async (orders) => {
      const placed = await placeOrder(orders, ORDER);
      const refused = await whileServing(waiting(newer, 1), url, async () => "it serves").catch(
        (error: unknown) => String(error),
      );
      expect(refused).toMatch(
        /^StartRefusal: Migrations? 0002\S+ cannot be finished: an older release that could not live with it has gone on serving for 1 s \(0001-initial on \S+ \(process \d+\)\)\. [^\n]+$/,
      );
      expect(await readOrder(orders, placed)).toMatchObject(ORDER);
      return placeOrder(orders, { ...ORDER, price: "99.90" });
    });
    await whileServing(newer, url, async (orders) => {
      expect(await readOrder(orders, order)).toMatchObject({
        price: "99.900",
        lines: [{ title: "first" }],
      });
    });
  },
);

test.each(DATABASES)(
  "%s: a start waits for older releases to stop, and says so",
  async (database) => {
    const url = await newDatabase(database);
    const log: object[] = [];
    const old = await older.createService(older.registry, { databaseUrl: url });
    const orders = `${await old.listen()}/api/v1/orders`;
    const order = await placeOrder(orders, ORDER);
    const stopping = new Promise((resolve) => setTimeout(resolve, 1500)).then(async () => {
      const last = await placeOrder(orders, ORDER);
      await old.close();
      return last;
    });
    await whileServing(waiting(newer, 30, log), url, async (now) => {
      for (const placed of [order, await stopping]) {
        expect(await readOrder(now, placed)).toMatchObject({ price: "12.500" });
      }
    });
    expect(log).toEqual([
      { older: expect.stringMatching(/^0001-initial on \S+ \(process \d+\)$/) },
    ]);
  },
);

/** What leaves the storage as it is, but not what an older release may read or write in it. */
const MISREAD: Readonly<Record<string, readonly [before: Yaml, after: Yaml, keywords?: Yaml]>> = {
  "a required property is removed": [
    { code: { type: "string", required: true } },
    {},
    { removed: { code: "nobody reads it" } },
  ],
  "a required member is removed": [
    { box: object({ code: { type: "string", required: true }, note: "string" }) },
    { box: object({ note: "string" }) },
    { removed: { "box.code": "nobody reads it" } },
  ],
  "a property may be left out": [{ code: { type: "string", required: true } }, { code: "string" }],
  "an enum loses a value": [{ code: { enum: ["a", "b"] } }, { code: { enum: ["a"] } }],
  "a bound is tighter": [
    { code: { type: "string", maxLength: 40 } },
    { code: { type: "string", maxLength: 20 } },
  ],
  "a text has a pattern": [{ code: "string" }, { code: { type: "string", pattern: "^[a-z]+$" } }],
  "a text has a format": [{ code: "string" }, { code: { type: "string", format: "date" } }],
  "a text is an enum": [{ code: "string" }, { code: { enum: ["a", "b"] } }],
  "an enum is a text": [{ code: { enum: ["a", "b"] } }, { code: "string" }],
  "a reference is removed": [
    { other: { reference: "orders" } },
    {},
    { removed: { other: "nobody reads it" } },
  ],
  "an item is an enum": [
    { codes: { type: "array", items: "string" } },
    { codes: { type: "array", items: { enum: ["a", "b"] } } },
  ],
};

function object(properties: Yaml): Yaml {
  return { type: "object", properties };
}

const MISREADING = await Promise.all(
  Object.entries(MISREAD).map(async ([what, [before, after, keywords]], index) => {
    const old = await orderService(`misread-${index}-old`, { title: "string", ...before });
    const properties = { title: "string", ...after };
    return { what, old, next: await orderService(`misread-${index}`, properties, keywords, old) };
  }),
);

async function refusedStart(next: OrderService, url: string): Promise<string> {
  const started = whileServing(waiting(next, 0), url, async () => "it serves");
  return started.catch((error: unknown) => String(error));
}

// What waits follows from the script of PostgreSQL, on SQLite as well.
test.each(MISREADING.map((one, turn) => ({ ...one, database: DATABASES[turn % 2 ? 1 : 0] })))(
  "$database: $what, and no older release reads or writes what it does not know",
  async ({ old, next, database }) => {
    const url = await newDatabase(database);
    await whileServing(old, url, async () => {
      expect(await refusedStart(next, url)).toContain("cannot be finished: an older release");
    });
    expect(await whileServing(next, url, async () => "it serves")).toBe("it serves");
  },
);

test.each(DATABASES)(
  "%s: clients of v1 are not shown a new value by an older release that does not know what stands for it",
  async (database) => {
    const orders = (values: Yaml): string =>
      stringify({ resource: "orders", entity: "order", properties: { status: values } });
    const [v1, v2] = [
      { enum: ["low"] },
      { enum: ["low", "high"], inOlderVersions: { high: "low" } },
    ];
    const old = await compiled(
      "instead-old",
      await renderValid({
        "service.yaml": "service: store\n",
        "resources/v1/orders.yaml": orders(v1),
      }),
    );
    const next = await compiled(
      "instead-new",
      await renderValid({
        "service.yaml": "service: store\nversions: { v1: draft, v2: draft }\n",
        "resources/v1/orders.yaml": orders(v1),
        "resources/v2/orders.yaml": orders(v2),
        ...old.migrations,
      }),
    );
    const url = await newDatabase(database);
    await whileServing(old, url, async () => {
      expect(await refusedStart(next, url)).toContain("cannot be finished: an older release");
    });
    expect(await whileServing(next, url, async () => "it serves")).toBe("it serves");
  },
);

test.each(DATABASES)(
  "%s: both releases serve where the older one can live with what is new",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async (orders) => {
      await whileServing(waiting(wider, 0), url, async (now) => {
        for (const place of [orders, now]) {
          const order = await placeOrder(place, ORDER);
          expect(await readOrder(orders, order)).toMatchObject(ORDER);
          expect(await readOrder(now, order)).toMatchObject({ ...ORDER, note: null });
        }
      });
    });
  },
);

test.each(DATABASES)(
  "%s: an older release that can live with what is new starts again, and says so",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async () => undefined);
    await whileServing(wider, url, async (now) => {
      const log: object[] = [];
      await whileServing(waiting(older, 0, log), url, async (orders) => {
        for (const place of [orders, now]) {
          const order = await placeOrder(place, ORDER);
          expect(await readOrder(orders, order)).toMatchObject(ORDER);
          expect(await readOrder(now, order)).toMatchObject({ ...ORDER, note: null });
        }
      });
      expect(log).toEqual([{ begun: [expect.stringMatching(/^0002-/)] }]);
    });
    // What it could not live with has been done.
    const other = await newDatabase(database);
    await whileServing(newer, other, async () => undefined);
    expect(await refusal(older, other)).toContain("is newer than this release");
  },
);

test("SQLite: a start that waits for a process which holds the lock says so, and goes on when that is over", async () => {
  const url = await newDatabase("sqlite");
  await whileServing(older, url, async () => undefined);
  const holder = await connectSqlite(url.replace(/^sqlite:/, ""));
  holder.exec("BEGIN IMMEDIATE");
  const log: object[] = [];
  const started = whileServing(waiting(newer, 30, log), url, async () => "it serves");
  await expect.poll(() => log).toEqual([{ database: "store.db" }]);
  holder.exec("COMMIT");
  holder.close();
  expect(await started).toBe("it serves");
});

test.each(DATABASES)(
  "%s: an older release that still serves when migrations are finished answers 503, and changes nothing",
  async (database) => {
    const url = await newDatabase(database);
    await whileServing(older, url, async (orders) => {
      const order = await placeOrder(orders, ORDER);
      await migrate(url, MIGRATIONS);
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(ORDER);
      const path = new URL(order).pathname;
      for (const request of [
        { target: path },
        { target: "/api/v1/orders" },
        { target: "/readyz" },
        { target: "/api/v1/orders", method: "POST", headers, body },
        { target: path, method: "PATCH", headers, body },
        { target: path, method: "DELETE" },
      ]) {
        const { status } = await fetch(new URL(request.target, orders), request);
        expect({ request, status }).toEqual({ request, status: 503 });
      }
      const stored = await rows(url, `SELECT "price", "lines" FROM "orders"`);
      expect(stored).toEqual([{ price: 12_500, lines: expect.stringContaining('"title"') }]);
    });
  },
);

test("PostgreSQL: a user that may not record a heartbeat is refused in one line that says what to grant", async () => {
  const url = await newDatabase("postgres");
  await whileServing(older, url, async () => undefined);
  const [row] = await rows(url, "SELECT current_schema() AS name");
  const schema = String(row?.["name"]);
  const user = `limited_${schema}`;
  const limited = url.replace(/\/\/\w+@/, `//${user}@`);
  await query(
    url,
    `CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${user};
     GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`,
  );
  await whileServing(older, limited, (orders) => placeOrder(orders, ORDER));
  await query(url, `REVOKE INSERT ON ${schema}.schema_releases FROM ${user}`);
  expect(await refusal(older, limited)).toMatch(
    /^The user of DATABASE_URL cannot use "schema_releases" and "schema_fence": permission denied for table schema_releases\. [^\n]+GRANT [^\n]+$/,
  );
  await query(url, "DROP TABLE schema_releases, schema_fence");
  expect(await refusal(older, limited)).toContain("permission denied for schema");
});

const place = places();

test.each(DATABASES)(
  "%s: a process that was held up and comes back after a migration answers 503, and logs one line",
  async (database) => {
    const url = await newDatabase(database);
    const environment = { DATABASE_URL: url, TEST_SERVICE: "storage/older-release" };
    const { child, ready, output } = startProcess(place("held"), environment);
    const client = await ready;
    const made = await client.send("POST", "/api/v1/orders", { body: ORDER });
    expect(made.status, made.text).toBe(201);
    child.kill("SIGSTOP");
    try {
      await whileServing(newer, url, async (orders) => {
        child.kill("SIGCONT");
        const order = String(made.headers.location);
        const path = new URL(order).pathname;
        for (let time = 0; time < 2; time += 1) {
          expect((await client.send("GET", path)).status).toBe(503);
          expect((await client.send("PATCH", path, { body: { price: "99.90" } })).status).toBe(503);
          expect((await client.send("GET", "/readyz")).status).toBe(503);
        }
        expect(await readOrder(orders, order)).toMatchObject({ price: "12.500" });
        await pause(2500);
      });
    } finally {
      child.kill("SIGKILL");
    }
    expect(output.stdout.match(/"msg":"A newer release has migrated the database/g)).toHaveLength(
      1,
    );
  },
);
