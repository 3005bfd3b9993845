import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { newKeys, sendAs, startKeyServer, tokenOf } from "../contract/support/secured.js";
import { WIDGETS } from "../contract/support/samples.js";
import { logOf, startProcess, type LogLine } from "../contract/support/service-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

// What fails again and again does not fill the log.

interface FaultLine extends LogLine {
  readonly count?: number;
  readonly err?: { readonly message: string; readonly stack?: string };
}

/** Lines from level warn up. */
function faultsOf(stdout: string): readonly FaultLine[] {
  return logOf({ stdout, stderr: "" }).filter(({ level }) => level >= 40);
}

test("an issuer that is down is told once, and then counted", async () => {
  const issuer = await startKeyServer([]);
  issuer.serve([], 500);
  const variables = { TEST_SERVICE: "secured", AUTH_KEYS: issuer.url, LOG_LEVEL: "info" };
  const { ready, output, child, ended } = startProcess(temporaryFolder(), variables);
  const client = Object.assign(await ready, { close: async () => undefined });
  const token = await tokenOf(await newKeys("first"), "a");
  const outage = 300;
  for (let request = 0; request < outage; request += 1) {
    expect((await sendAs(client, token, ["GET", "/api/v1/drafts"])).status).toBe(503);
  }
  await expect.poll(() => faultsOf(output.stdout).length, { timeout: 15_000 }).toBeGreaterThan(1);
  child.kill("SIGTERM");
  await ended;
  const lines = faultsOf(output.stdout);
  // The first one, and the others as counts of five seconds.
  expect(lines.length).toBeLessThan(6);
  expect(lines.filter(({ err }) => Boolean(err?.stack))).toHaveLength(1);
  const told = lines.reduce((sum, { count = 1 }) => sum + count, 0);
  expect(told).toBe(outage);
}, 60_000);

test("a fault of the code is told whole once, and then in a line with each request's id", async () => {
  const { ready, output, child, ended } = startProcess(temporaryFolder(), { LOG_LEVEL: "info" });
  const client = await ready;
  const ids: string[] = [];
  for (let request = 0; request < 20; request += 1) {
    const answer = await client.send("POST", WIDGETS, { body: { name: "canary" } });
    expect(answer.status).toBe(500);
    ids.push(String(answer.headers["x-request-id"]));
  }
  for (const method of ["PROPFIND", "PURGE"]) {
    expect((await client.send(method, WIDGETS)).status).toBe(501);
  }
  await pause(50);
  child.kill("SIGTERM");
  await ended;
  const lines = faultsOf(output.stdout);
  expect(lines.map(({ requestId }) => requestId)).toEqual(ids);
  expect(lines.filter(({ err }) => Boolean(err?.stack))).toHaveLength(1);
  // No line is without a word on what it is about.
  const others = lines.filter(({ err }) => err === undefined);
  expect(others.map(({ fault }) => fault?.type)).toEqual(others.map(() => "Error"));
  expect(others).toHaveLength(ids.length - 1);
});

test("a service that is not ready says so once, however often it is asked, and when it is ready again", async () => {
  const folder = temporaryFolder();
  const [file, elsewhere] = [join(folder, "here.sqlite"), join(folder, "elsewhere.sqlite")];
  const variables = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: "info" };
  const { ready, output, child, ended } = startProcess(folder, variables);
  const client = await ready;
  renameSync(file, elsewhere);
  for (let poll = 0; poll < 10; poll += 1) {
    expect((await client.send("GET", "/readyz")).status).toBe(503);
  }
  renameSync(elsewhere, file);
  await expect.poll(async () => (await client.send("GET", "/readyz")).status).toBe(200);
  child.kill("SIGTERM");
  await ended;
  const told = logOf({ stdout: output.stdout, stderr: "" }).map(({ msg }) => msg);
  expect(told.filter((message) => message === "not ready")).toHaveLength(1);
  expect(told).not.toContain("request failed");
  expect(told.filter((message) => message === "ready again")).toHaveLength(1);
  expect(told).not.toContain("still not ready");
}, 30_000);
