import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceFolder } from "../support/service-folders.js";
import { DATABASE } from "./support/database.js";
import { places, stop } from "./support/process-tests.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { logOf, startProcess } from "./support/service-process.js";

const place = places();

// Each names its database itself.
test.runIf(DATABASE === "sqlite").concurrent.each<[string, Record<string, string>, string]>([
  ["PORT", { PORT: "http" }, 'PORT must be a number from 0 to 65535, and is "http".'],
  ["PORT", { PORT: "65536" }, 'PORT must be a number from 0 to 65535, and is "65536".'],
  ["PORT", { PORT: "-1" }, "PORT must be a number from 0 to 65535"],
  ["DATABASE_URL", { DATABASE_URL: "mysql://u:canary@h/d" }, "DATABASE_URL is neither of the form"],
  ["DATABASE_URL", { DATABASE_URL: "" }, "DATABASE_URL is empty"],
  [
    "DATABASE_URL",
    { DATABASE_URL: "postgres://u:canary@127.0.0.1:1/d" },
    "DATABASE_URL names PostgreSQL at 127.0.0.1:1, which cannot be used: connect ECONNREFUSED",
  ],
  ["DATABASE_URL", { DATABASE_URL: "postgres://u:canary@[/d" }, "DATABASE_URL cannot be read"],
  [
    "DATABASE_CONNECTIONS",
    { DATABASE_CONNECTIONS: "1" },
    "DATABASE_CONNECTIONS must be a number from 2",
  ],
  ["DATABASE_URL", { DATABASE_URL: "sqlite:" }, "DATABASE_URL"],
  ["DATABASE_URL", { DATABASE_URL: "sqlite:/dev/null/a.db" }, "cannot be opened"],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of trace, debug"],
  ["MIGRATE_AT_START", { MIGRATE_AT_START: "yes" }, "MIGRATE_AT_START must be true or false"],
  ["BASE_URL", { BASE_URL: "example.com" }, "BASE_URL must be an http or https URL"],
  ["HOST", { HOST: "203.0.113.7" }, "HOST 203.0.113.7 is not an address of this machine"],
])("a bad %s is one clear line and exit code 1: %o", async (_name, variables, line) => {
  const cwd = place("bad");
  const { code, output } = await startProcess(cwd, {
    DATABASE_URL: "sqlite::memory:",
    ...variables,
  }).ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(/^workshop cannot start: [^\n]+\n$/);
  expect(output.stderr).toContain(line);
  expect(output.stderr).not.toContain("canary");
});

// The default file is one of SQLite.
test.runIf(DATABASE === "sqlite")(
  "no empty database is made next to the one that the service had under another name",
  async () => {
    const cwd = place("renamed");
    mkdirSync(join(cwd, "data"));
    writeFileSync(join(cwd, "data", "factory.db"), "");
    const { code, output } = await startProcess(cwd).ended;
    expect(code).toBe(1);
    expect(output.stderr).toBe(
      "workshop cannot start: There is no database ./data/workshop.db, and there is another one next to it: factory.db. " +
        "The default file is called like the service, whose name may have changed. To go on with factory.db, set " +
        "DATABASE_URL=sqlite:./data/factory.db, or rename all files that begin with factory.db. To begin with an empty " +
        "database, move them away.\n",
    );
    expect(existsSync(join(cwd, "data", "workshop.db"))).toBe(false);
    const named = startProcess(cwd, { DATABASE_URL: "sqlite:./data/workshop.db" });
    await named.ready;
    expect(await stop(named)).toBe(0);
    // Once it is there, the other one keeps nothing from starting.
    const again = startProcess(cwd);
    await again.ready;
    expect(await stop(again)).toBe(0);
  },
);

test("a port that is taken is one clear line and exit code 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  // A server that listens on a port has an address.
  const { port } = taken.address() as AddressInfo;
  const { code, output } = await startProcess(place("taken"), { PORT: String(port) }).ended;
  taken.close();
  expect(code).toBe(1);
  expect(output.stderr).toBe(
    `workshop cannot start: Port ${port} of 127.0.0.1 is in use. Set PORT to another one.\n`,
  );
});

test("a file that is no database is refused, and left as it is", async () => {
  const cwd = place("other");
  writeFileSync(
    join(cwd, "notes.txt"),
    "not a database, and longer than a header of one\n".repeat(50),
  );
  const before = readFileSync(join(cwd, "notes.txt"));
  const { code, output } = await startProcess(cwd, { DATABASE_URL: "sqlite:./notes.txt" }).ended;
  expect(code).toBe(1);
  expect(output.stderr).toBe(
    "workshop cannot start: ./notes.txt is not a SQLite database. Name another file in DATABASE_URL, or move this one away.\n",
  );
  expect(readFileSync(join(cwd, "notes.txt"))).toEqual(before);
});

test("a migration that was changed after it was applied keeps the service from starting, and the data as it is", async () => {
  const cwd = place("migrated");
  const migrations = join(cwd, "migrations");
  cpSync(join(serviceFolder("contract"), "migrations"), migrations, { recursive: true });
  const variables = { TEST_MIGRATIONS: `${pathToFileURL(migrations).href}/` };
  const first = startProcess(cwd, variables);
  const made = await (await first.ready).create(WIDGETS, FULL_WIDGET);
  expect(await stop(first)).toBe(0);

  const file = join(migrations, `0001-initial/${DATABASE}.sql`);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}\n-- a harmless afterthought\n`);
  const { code, output } = await startProcess(cwd, variables).ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(
    /^workshop cannot start: Migration 0001-initial was changed [^\n]+\n$/,
  );

  // Other line ends are no change.
  writeFileSync(file, text.replaceAll("\n", "\r\n"));
  const again = startProcess(cwd, variables);
  expect(await (await again.ready).read(pathOf(WIDGETS, made))).toEqual(made);
  expect(await stop(again)).toBe(0);
});

test("a migration that cannot be applied keeps the service from starting, and nothing of it stays", async () => {
  const cwd = place("broken");
  const migrations = join(cwd, "migrations");
  mkdirSync(join(migrations, "0001-broken"), { recursive: true });
  writeFileSync(
    join(migrations, `0001-broken/${DATABASE}.sql`),
    `CREATE TABLE "half" ("id" TEXT);\nCREATE TABEL "other" ("id" TEXT);\n`,
  );
  const variables = { TEST_MIGRATIONS: `${pathToFileURL(migrations).href}/` };
  const { code, output } = await startProcess(cwd, variables).ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(
    /^workshop cannot start: Migration 0001-broken could not be applied[^\n]+\n$/,
  );
  const { stderr } = (await startProcess(cwd, variables).ended).output;
  // A second try fails at the same place, not at a table that is there already.
  expect(stderr).toBe(output.stderr);
});

test.runIf(DATABASE === "sqlite")("a start makes the folder of its database file", async () => {
  const cwd = place("folder");
  const running = startProcess(cwd);
  await running.ready;
  expect(existsSync(join(cwd, "data", "workshop.db"))).toBe(true);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(0);
});

test("a start writes where it is, and what it did", async () => {
  const cwd = place("fresh");
  const running = startProcess(cwd);
  const { url } = await running.ready;
  expect(await stop(running)).toBe(0);
  const messages = logOf(running.output).map(({ msg }) => msg);
  expect(messages).toContain("migrations applied");
  expect(messages.join()).toContain(`is at ${url}, its documentation at ${url}/docs`);
  expect(messages.at(-1)).toContain("has stopped");
  expect(running.output.stderr).toBe("");
});

test("a service whose bearer tokens are turned off by the environment says so", async () => {
  const cwd = place("open");
  const variables = { TEST_SERVICE: "secured", AUTH_SCHEME: "none" };
  const running = startProcess(cwd, variables);
  await running.ready;
  expect(await stop(running)).toBe(0);
  const warnings = logOf(running.output).filter(({ level }) => level === 40);
  expect(warnings.map(({ msg }) => msg)).toEqual([
    expect.stringContaining("AUTH_SCHEME=none turns off the bearer tokens of service.yaml"),
  ]);
});

test("the log has a line a request at level debug, without query and body", async () => {
  const running = startProcess(place("log"), { LOG_LEVEL: "debug" });
  const client = await running.ready;
  const headers = { "x-request-id": "find-me" };
  await client.send("GET", `${WIDGETS}?name=canary`, { headers });
  await client.send("POST", WIDGETS, { body: { name: "canary", size: "canary" } });
  await client.create(WIDGETS, { name: "a canary" });
  expect(await stop(running)).toBe(0);
  const request = { level: 20, requestId: "find-me", method: "GET", path: WIDGETS, status: 200 };
  expect(logOf(running.output)).toContainEqual(
    expect.objectContaining({ ...request, ms: expect.any(Number) as number, msg: "request" }),
  );
  expect(running.output.stdout).not.toContain("canary");
});
