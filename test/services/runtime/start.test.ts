import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import { expect, test } from "vitest";

import { ask } from "../../unit/runtime/fixture/ask.js";
import { startProcess } from "../../unit/runtime/fixture/process.js";
import { send } from "../../unit/runtime/fixture/raw.js";
import { temporaryFolder } from "../../unit/runtime/fixture/temporary-folder.js";

const folder = temporaryFolder();
const TICKETS = "/api/v1/tickets";

function place(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test("a service starts with nothing configured, says where it is, and stops with exit code 0", async () => {
  const cwd = place("plain");
  const { child, url, ended } = startProcess(cwd, {});
  const base = await url;
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await ask(base, "POST", TICKETS, { json: { title: "Lamp" } })).status).toBe(201);
  child.kill("SIGTERM");
  const { code, output } = await ended;
  expect([code, output.stderr]).toEqual([0, ""]);
  expect(existsSync(join(cwd, "data", "helpdesk.db"))).toBe(true);
  expect(output.stdout).toContain(`its documentation at ${base}/docs`);
  expect(output.stdout).toContain("has stopped");
});

test("what .env says holds where the environment says nothing", async () => {
  const cwd = place("env-file");
  const lines = ["# Copied from .env.example", "PORT=1", "DATABASE_URL=sqlite:./other.db"];
  writeFileSync(join(cwd, ".env"), lines.join("\n"));
  const { child, url, ended } = startProcess(cwd, { PORT: "0" });
  expect(new URL(await url).port).not.toBe("1");
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  expect(existsSync(join(cwd, "other.db"))).toBe(true);
});

test("what was written is there after a restart", async () => {
  const cwd = place("restart");
  const first = startProcess(cwd, {});
  const created = await ask(await first.url, "POST", TICKETS, { json: { title: "Lamp" } });
  // Not even a chance to stop: an answered write is durable.
  first.child.kill("SIGKILL");
  await first.ended;
  const second = startProcess(cwd, {});
  const path = `${TICKETS}/${(JSON.parse(created.body) as { ticketId: string }).ticketId}`;
  expect((await ask(await second.url, "GET", path)).body).toBe(created.body);
  second.child.kill("SIGINT");
  expect((await second.ended).code).toBe(0);
});

test("SIGTERM lets requests in flight finish, and stops listening at once", async () => {
  const { child, url, ended } = startProcess(place("drain"), {});
  const base = await url;
  const agent = new Agent({ keepAlive: true });
  const slow = new Promise<string>((resolve, reject) => {
    const sent = get(`${base}/slow?600`, { agent }, (answer) => {
      answer.on("data", (chunk: Buffer) => resolve(chunk.toString()));
    });
    sent.on("error", reject);
  });
  const idle = send(base, `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise((next) => setTimeout(next, 150));
  const began = Date.now();
  child.kill("SIGTERM");
  await new Promise((next) => setTimeout(next, 150));
  await expect(ask(base, "GET", "/healthz")).rejects.toThrow("ECONNREFUSED");
  expect(await slow).toBe(`"slow"`);
  expect((await idle).answers.map(({ status }) => status)).toEqual([200]);
  expect((await ended).code).toBe(0);
  expect(Date.now() - began).toBeLessThan(3000);
  agent.destroy();
});

test("a second signal ends the process at once, and not with exit code 0", async () => {
  const { child, url, ended } = startProcess(place("twice"), {});
  const cut = ask(await url, "GET", "/slow?8000").catch(() => "cut off");
  await new Promise((next) => setTimeout(next, 150));
  const began = Date.now();
  child.kill("SIGTERM");
  await new Promise((next) => setTimeout(next, 150));
  child.kill("SIGTERM");
  expect((await ended).code).toBe(1);
  expect(Date.now() - began).toBeLessThan(2000);
  expect(await cut).toBe("cut off");
});

test("with STOP_ON_UNCAUGHT an error that nobody catches is logged, and the service stops with exit code 1", async () => {
  const { url, ended } = startProcess(place("thrown"), { STOP_ON_UNCAUGHT: "true" });
  await ask(await url, "GET", "/throw").catch(() => undefined);
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.stdout).toContain("nobody catches this");
  expect(output.stdout).toContain("has stopped");
});

test.each<[string, Record<string, string>, string]>([
  ["PORT", { PORT: "http" }, 'PORT must be a number from 0 to 65535, and is "http".'],
  ["PORT", { PORT: "65536" }, 'PORT must be a number from 0 to 65535, and is "65536".'],
  ["HOST", { HOST: "203.0.113.7" }, "HOST 203.0.113.7 is not an address of this machine"],
  [
    "DATABASE_URL",
    { DATABASE_URL: "postgres://u:secret@127.0.0.1:1/d" },
    "DATABASE_URL names PostgreSQL at 127.0.0.1:1, which cannot be used: connect ECONNREFUSED",
  ],
  ["DATABASE_URL", { DATABASE_URL: "mysql://u:secret@h/d" }, "DATABASE_URL is neither of the form"],
  ["DATABASE_URL", { DATABASE_URL: "" }, "DATABASE_URL is empty"],
  ["DATABASE_URL", { DATABASE_URL: "sqlite:/dev/null/a.db" }, "cannot be opened"],
  ["BASE_URL", { BASE_URL: "example.com" }, "BASE_URL must be an http or https URL"],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of trace, debug"],
  ["MIGRATE_AT_START", { MIGRATE_AT_START: "yes" }, "MIGRATE_AT_START must be true or false"],
])("a bad %s is one clear line and exit code 1: %o", async (_name, variables, line) => {
  const cwd = join(folder, "bad");
  mkdirSync(cwd, { recursive: true });
  const { ended } = startProcess(cwd, { DATABASE_URL: "sqlite::memory:", ...variables });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.stderr).toMatch(/^helpdesk cannot start: .*\n$/);
  expect(output.stderr).toContain(line);
  expect(output.stderr).not.toContain("secret");
});

test("a port that is taken is one clear line", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((next) => taken.once("listening", next));
  const { port } = taken.address() as AddressInfo;
  const { ended } = startProcess(place("taken"), { PORT: String(port) });
  const { code, output } = await ended;
  expect(code).toBe(1);
  expect(output.stderr).toBe(
    `helpdesk cannot start: Port ${port} of 127.0.0.1 is in use. Set PORT to another one.\n`,
  );
  taken.close();
});

test("a file that is no database is refused, and left as it is", async () => {
  const cwd = place("letter");
  const file = join(cwd, "letter.db");
  const letter = "This is a letter, not a database. ".repeat(20);
  writeFileSync(file, letter);
  const { ended } = startProcess(cwd, { DATABASE_URL: "sqlite:./letter.db" });
  const { code, output } = await ended;
  expect([code, output.stderr]).toEqual([
    1,
    "helpdesk cannot start: ./letter.db is not a SQLite database. Name another file in DATABASE_URL, or move this one away.\n",
  ]);
  expect(readFileSync(file, "utf8")).toBe(letter);
});

test("the log has a line a request at level debug, without query and body, and errors by their id", async () => {
  const { child, url, ended } = startProcess(place("log"), { LOG_LEVEL: "debug" });
  const base = await url;
  const headers = { "x-request-id": "find-me" };
  await ask(base, "GET", `${TICKETS}?title=canary`, { headers });
  await ask(base, "POST", TICKETS, { json: { title: "canary" } });
  child.kill("SIGTERM");
  const { output } = await ended;
  const lines = output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 20,
      requestId: "find-me",
      method: "GET",
      path: TICKETS,
      status: 200,
      ms: expect.any(Number) as number,
      msg: "request",
    }),
  );
  expect(output.stdout).not.toContain("canary");
});
