import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { stop } from "../contract/support/process-tests.js";
import { FULL_WIDGET, WIDGETS } from "../contract/support/samples.js";
import { startProcess } from "../contract/support/service-process.js";
import { query } from "../support/postgres-schema.js";
import {
  newDatabase,
  orderService,
  placeOrder,
  refusal,
  whileServing,
} from "./support/order-services.js";

const made = await orderService("reset", {
  note: "string",
  lines: { type: "array", items: "integer" },
});
const edited = await orderService("reset-edited", { remark: "string" });

/** What the command prints, and how it ends. */
async function reset(
  url: string,
  given: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<{ out: string; err: string; isRefused: boolean }> {
  let out = "";
  let err = "";
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((out += String(text)))),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((err += String(text)))),
  ];
  try {
    await made.resetDatabase(edited.registry, given, { DATABASE_URL: url, ...variables });
    return { out, err, isRefused: process.exitCode === 1 };
  } finally {
    process.exitCode = 0;
    for (const spy of spies) spy.mockRestore();
  }
}

const pathOf = (url: string): string => url.slice("sqlite:".length);

test("SQLite: the file of that name goes with all that belongs to it, and the next start makes a new one", async () => {
  const url = await newDatabase("sqlite");
  const folder = dirname(pathOf(url));
  // A process of its own: SQLite lets go of a file for good when the process ends.
  const running = startProcess(folder, { DATABASE_URL: url });
  await (await running.ready).create(WIDGETS, FULL_WIDGET);
  expect(await stop(running)).toBe(0);
  writeFileSync(join(folder, "notes.txt"), "mine");
  const { out, err } = await reset(url, ["store.db"]);
  expect(err).toBe("");
  expect(out).toContain(`Deleted ${join(folder, "store.db.created")}, ${join(folder, "store.db")}`);
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
  await whileServing(edited, url, (orders) => placeOrder(orders, { remark: "first" }));
});

test("PostgreSQL: the tables of the service go, those of others stay", async () => {
  const url = await newDatabase("postgres");
  await whileServing(made, url, (orders) => placeOrder(orders, { note: "first" }));
  await query(url, `CREATE TABLE "others" ("id" TEXT)`);
  const name = /-- (\S+)" deletes it/.exec(await refusal(edited, url))?.[1] ?? "";
  const { out, err } = await reset(url, [name]);
  expect(err).toBe("");
  expect(out).toBe(
    `Deleted from the database ${name}: idempotency_key_answers, orders, schema_fence, schema_lock, schema_migrations, schema_progress, schema_releases, schema_statements, schema_storage. ` +
      "Tables of other programs were left: others. The next start creates them again.\n",
  );
  await whileServing(edited, url, (orders) => placeOrder(orders, { remark: "first" }));
});

test("PostgreSQL: of a database on whose storage nothing is on record the tables of the migrations go", async () => {
  const url = await newDatabase("postgres");
  await whileServing(made, url, (orders) => placeOrder(orders, { note: "first" }));
  await query(url, `DROP TABLE "schema_storage"`);
  const name = /-- (\S+)" deletes it/.exec(await refusal(edited, url))?.[1] ?? "";
  expect((await reset(url, [name])).out).toContain(
    ": idempotency_key_answers, orders, schema_fence, schema_lock, schema_migrations, schema_progress, schema_releases, schema_statements.",
  );
  await whileServing(edited, url, (orders) => placeOrder(orders, { remark: "first" }));
});

test.each<{
  name: string;
  given: readonly string[];
  variables?: Record<string, string>;
  want: string;
}>([
  {
    name: "no name",
    given: [],
    want: "It deletes a database and everything in it, and asks for its name: npm run db:reset -- ",
  },
  { name: "another name", given: ["orders"], want: ", and not orders: npm run db:reset -- " },
  { name: "two names", given: ["store.db", "store.db"], want: "asks for its name" },
  {
    name: "production",
    given: ["store.db"],
    variables: { NODE_ENV: "production" },
    want: "NODE_ENV is production, and db:reset is for development only.",
  },
])("$name: nothing is deleted", async ({ given, variables, want }) => {
  for (const database of ["sqlite", "postgres"] as const) {
    const url = await newDatabase(database);
    await whileServing(made, url, (orders) => placeOrder(orders, { note: "first" }));
    const { out, err, isRefused } = await reset(url, given, variables);
    expect({ out, isRefused }).toEqual({ out: "", isRefused: true });
    expect(err).toContain(want);
    await whileServing(made, url, (orders) => placeOrder(orders, { note: "second" }));
  }
});

test("SQLite: a file that a service has open stays", async () => {
  const url = await newDatabase("sqlite");
  await whileServing(made, url, async (orders) => {
    await placeOrder(orders, { note: "first" });
    const { err, isRefused } = await reset(url, ["store.db"]);
    expect(isRefused).toBe(true);
    expect(err).toContain("open: stop the service first. Nothing was deleted.");
    await placeOrder(orders, { note: "second" });
  });
});

test("SQLite: a file that is no database stays, and where there is none nothing is deleted", async () => {
  const folder = dirname(pathOf(await newDatabase("sqlite")));
  const path = join(folder, "notes.txt");
  writeFileSync(path, "a text that is longer than the header of a database\n");
  expect((await reset(`sqlite:${path}`, ["notes.txt"])).err).toContain("is not a SQLite database");
  expect(existsSync(path)).toBe(true);
  const none = join(folder, "store.db");
  expect((await reset(`sqlite:${none}`, ["store.db"])).out).toContain("nothing was deleted");
  expect((await reset("sqlite::memory:", [":memory:"])).err).toContain("is in memory");
});

test("SQLite: a damaged file goes as well", async () => {
  const url = await newDatabase("sqlite");
  const path = pathOf(url);
  writeFileSync(path, `SQLite format 3\0${"x".repeat(5000)}`);
  expect((await reset(url, ["store.db"])).out).toContain(`Deleted ${path}`);
  expect(existsSync(path)).toBe(false);
});
