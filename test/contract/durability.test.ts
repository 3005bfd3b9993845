import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceFolder } from "../support/generated-services.js";
import type { Client, JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { logOf, startProcess, type ServiceProcess } from "./support/service-process.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const root = temporaryFolder();

/** A folder of its own for one test: the service keeps its database in it. */
function place(name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  return path;
}

const pause = async (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** One POST; null where the connection broke before the answer was whole. */
async function post(client: Client, body: JsonObject): Promise<JsonObject | null> {
  try {
    const answer = await client.send("POST", WIDGETS, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.json;
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Every widget that the service has, page by page. */
async function allWidgets(client: Client): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (let page = 1; ; page += 1) {
    const results = resultsOf(await client.read(`${WIDGETS}?pageSize=100&pageNumber=${page}`));
    if (results.length === 0) return found;
    found.push(...results);
  }
}

async function stop({ child, ended }: ServiceProcess): Promise<number | null> {
  child.kill("SIGTERM");
  return (await ended).code;
}

test("kill -9 in the middle of 1,000 concurrent POSTs loses nothing that was answered 201", async () => {
  const cwd = place("killed");
  const answered: JsonObject[] = [];
  for (const after of [1, 150, 400, 700]) {
    const running = startProcess(cwd, { LOG_LEVEL: "info" });
    const client = await running.ready;
    let count = 0;
    let broken = 0;
    await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const made = await post(client, { ...FULL_WIDGET, size: index });
        if (made === null) broken += 1;
        else answered.push(made);
        count += 1;
        if (count === after) running.child.kill("SIGKILL");
      }),
    );
    expect((await running.ended).code).toBeNull();
    // The kill has come in the middle, or the test has shown nothing.
    expect(broken).toBeGreaterThan(0);
  }
  const restarted = startProcess(cwd);
  const client = await restarted.ready;
  const stored = new Map((await allWidgets(client)).map((widget) => [widget["widgetId"], widget]));
  const lost = answered.filter((widget) => !stored.has(widget["widgetId"]));
  expect(lost).toEqual([]);
  expect(answered.length).toBeGreaterThanOrEqual(4);
  for (const widget of answered) expect(stored.get(widget["widgetId"])).toEqual(widget);
  // What was stored and not answered is whole as well.
  for (const widget of stored.values()) {
    expect(widget).toMatchObject({ ...FULL_WIDGET, size: widget["size"] });
  }
  expect(await stop(restarted)).toBe(0);
});

test("kill -9 in the middle of updates and deletes keeps what was answered", async () => {
  const cwd = place("updated");
  const first = startProcess(cwd);
  const client = await first.ready;
  const made = await Promise.all(
    Array.from({ length: 40 }, async () => client.create(WIDGETS, { name: "counter", size: 0 })),
  );
  const sizes = new Map<string, number>();
  const gone = new Set<string>();
  const work = made.map(async (widget, index) => {
    const path = pathOf(WIDGETS, widget);
    try {
      for (let size = 1; ; size += 1) {
        if (index % 4 === 0 && size === 20) {
          if ((await client.send("DELETE", path)).status === 204) gone.add(path);
          return;
        }
        const answer = await client.send("PATCH", path, { body: { size } });
        if (answer.status === 200) sizes.set(path, size);
      }
    } catch {
      // The connection broke: the rest of this client's work was never answered.
    }
  });
  await pause(1500);
  first.child.kill("SIGKILL");
  await Promise.all(work);
  const second = startProcess(cwd);
  const again = await second.ready;
  expect(Math.max(...sizes.values())).toBeGreaterThan(1);
  for (const [path, size] of sizes) {
    const answer = await again.send("GET", path);
    if (gone.has(path)) expect(answer.status).toBe(404);
    // A DELETE that was on its way when the process ended may have been carried out.
    else if (answer.status === 200) expect([size, size + 1]).toContain(answer.json["size"]);
    else expect(size).toBe(19);
  }
  expect(await stop(second)).toBe(0);
});

test("SIGTERM under load: what is in flight is answered, what is stored was answered, and the exit code is 0", async () => {
  const cwd = place("drained");
  const running = startProcess(cwd, { TEST_SLOW_MILLISECONDS: "3000" });
  const client = await running.ready;
  const answered: JsonObject[] = [];
  let isStopping = false;
  const slow = Array.from({ length: 100 }, async () => post(client, { name: "slow" }));
  // They have all arrived before there is any load: what waits to be accepted is not in flight yet.
  await pause(1000);
  const load = Array.from({ length: 50 }, async () => {
    for (;;) {
      const made = await post(client, { name: "load" });
      if (made !== null) answered.push(made);
      else if (isStopping) return;
      else throw new Error("a connection broke before the service was told to stop");
    }
  });
  await pause(800);
  const began = Date.now();
  isStopping = true;
  running.child.kill("SIGTERM");
  const inFlight = await Promise.all(slow);
  expect(inFlight.filter((widget) => widget === null)).toEqual([]);
  const { code } = await running.ended;
  expect(code).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
  await Promise.all(load);
  const restarted = startProcess(cwd);
  const stored = await allWidgets(await restarted.ready);
  const ids = [...answered, ...inFlight].map((widget) => widget?.["widgetId"]);
  // Nothing that was answered is lost, and nothing was stored whose caller went without an answer.
  expect(stored.map(({ widgetId }) => widgetId).sort()).toEqual(ids.sort());
  expect(answered.length).toBeGreaterThan(0);
  await stop(restarted);
});

test("new connections are refused while what is in flight is answered", async () => {
  const running = startProcess(place("refusing"), { TEST_SLOW_MILLISECONDS: "1000" });
  const client = await running.ready;
  const slow = client.send("POST", WIDGETS, { body: { name: "slow" } });
  await pause(300);
  running.child.kill("SIGTERM");
  await pause(200);
  await expect(
    client.send("GET", "/healthz", { headers: { connection: "close" } }),
  ).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  expect((await slow).status).toBe(201);
  expect((await running.ended).code).toBe(0);
});

test("a second signal ends the process at once, and not with exit code 0", async () => {
  const running = startProcess(place("twice"), { TEST_SLOW_MILLISECONDS: "8000" });
  const client = await running.ready;
  const cut = post(client, { name: "slow" });
  await pause(300);
  const began = Date.now();
  running.child.kill("SIGTERM");
  await pause(200);
  running.child.kill("SIGTERM");
  const { code } = await running.ended;
  expect(code).toBeGreaterThan(0);
  expect(Date.now() - began).toBeLessThan(3000);
  expect(await cut).toBeNull();
});

test("a request that never ends does not keep the process from stopping in time", async () => {
  const running = startProcess(place("endless"));
  const { port } = await running.ready;
  const agent = new Agent({ keepAlive: true });
  const endless = request({
    port,
    method: "POST",
    path: WIDGETS,
    agent,
    headers: { "content-type": "application/json" },
  });
  const closed = new Promise((resolve) => endless.on("error", resolve).on("response", resolve));
  endless.write("{");
  await pause(300);
  const began = Date.now();
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
  expect(Date.now() - began).toBeLessThan(10_000);
  await closed;
  agent.destroy();
});

test.each<[string, Record<string, string>, RegExp]>([
  ["PORT", { PORT: "http" }, /PORT is a number from 0 to 65535/],
  ["PORT", { PORT: "65536" }, /PORT is a number from 0 to 65535/],
  ["PORT", { PORT: "-1" }, /PORT is a number from 0 to 65535/],
  ["DATABASE_URL", { DATABASE_URL: "mysql://u:canary@h/d" }, /DATABASE_URL/],
  ["DATABASE_URL", { DATABASE_URL: "postgres://u:canary@h/d" }, /DATABASE_URL/],
  ["DATABASE_URL", { DATABASE_URL: "sqlite:" }, /DATABASE_URL/],
  ["DATABASE_URL", { DATABASE_URL: "sqlite:/dev/null/a.db" }, /cannot be opened/],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }, /LOG_LEVEL is one of/],
  ["BASE_URL", { BASE_URL: "example.com" }, /BASE_URL/],
  ["HOST", { HOST: "203.0.113.7" }, /HOST/],
])("a bad %s is one clear line and exit code 1: %o", async (_name, variables, line) => {
  const cwd = join(root, "bad");
  mkdirSync(cwd, { recursive: true });
  const { code, output } = await startProcess(cwd, {
    DATABASE_URL: "sqlite::memory:",
    ...variables,
  }).ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(/^workshop cannot start: [^\n]+\n$/);
  expect(output.stderr).toMatch(line);
  expect(output.stderr).not.toContain("canary");
});

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
  expect(output.stderr).toMatch(/^workshop cannot start: [^\n]+ is not a SQLite database[^\n]+\n$/);
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

  const file = join(migrations, "0001-initial/sqlite.sql");
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
    join(migrations, "0001-broken/sqlite.sql"),
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

test("a start writes where it is, and a database in a folder that was not there", async () => {
  const cwd = place("fresh");
  const running = startProcess(cwd);
  await running.ready;
  expect(existsSync(join(cwd, "data", "workshop.db"))).toBe(true);
  expect(await stop(running)).toBe(0);
  const messages = logOf(running.output).map(({ msg }) => msg);
  expect(messages).toContain("migrations applied");
  expect(messages.at(-1)).toContain("has stopped");
  expect(running.output.stderr).toBe("");
});
