import { join } from "node:path";
import { expect, test } from "vitest";
import { connectSqlite } from "#runtime/store/sqlite/module";
import type { Answer } from "./support/client.js";
import { customCode } from "./support/custom-code.js";
import { expectError } from "./support/errors.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";
import { logOf, startProcess } from "./support/service-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const databasePath = join(folder, "broken.db");
const service = await startService("contract", { databaseUrl: `sqlite:${databasePath}` });
const hooks = await customCode("widgets");

const INSIDE =
  /canary|passwd|SELECT|sqlite|\bat .*\.[jt]s|node:|node_modules|\/work\/|widgets|SQL/i;

/** The one body that a fault has: its request id, and nothing else that differs. */
function expectFault(answer: Answer, status: number, type: string): string {
  const { message, description } = expectError(answer, status, type);
  const requestId = String(answer.headers["x-request-id"]);
  expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
  expect(description).toBe(`The request id is ${requestId}.`);
  expect(`${message} ${description}`).not.toMatch(INSIDE);
  return requestId;
}

test.each([
  ["an Error", new Error("canary: SELECT secret FROM /etc/passwd")],
  ["a text", "canary"],
  ["nothing at all", undefined],
  ["an error that claims a status", Object.assign(new Error("canary"), { statusCode: 200 })],
  ["an error that looks like an API error", { status: 418, type: "Canary", message: "canary" }],
])("%s thrown by the service's own code is a 500 that tells nothing", async (_what, thrown) => {
  hooks.beforeCreate = () => {
    throw thrown;
  };
  const answer = await service.send("POST", WIDGETS, { body: { name: "drill" } });
  expectFault(answer, 500, "InternalErrorMessage");
  expect(JSON.stringify(answer.headers)).not.toMatch(/canary/i);
  expect((await service.read(WIDGETS))["itemCount"]).toBe(0);
});

test("a rejected promise of the service's own code is a 500 as well", async () => {
  hooks.authorize = async () => {
    await Promise.resolve();
    throw new Error("canary");
  };
  for (const method of ["GET", "POST"]) {
    const answer = await service.send(method, WIDGETS, {
      ...(method === "POST" && { body: { name: "drill" } }),
    });
    expectFault(answer, 500, "InternalErrorMessage");
  }
});

test("a database whose tables are gone shows no SQL", async () => {
  const connection = await connectSqlite(databasePath);
  connection.exec(`DROP TABLE "widgets"`);
  connection.close();
  expectFault(await service.send("GET", WIDGETS), 500, "InternalErrorMessage");
  const made = await service.send("POST", WIDGETS, { body: { name: "drill" } });
  expectFault(made, 500, "InternalErrorMessage");
  expect((await service.send("GET", "/healthz")).status).toBe(200);
});

test("the log has what the answer hides, under the same request id", async () => {
  const own = startProcess(temporaryFolder(), { LOG_LEVEL: "info" });
  const client = await own.ready;
  const headers = { "x-request-id": "my-own-id.7" };
  const body = { name: "canary" };
  const given = expectFault(
    await client.send("POST", WIDGETS, { body, headers }),
    500,
    "InternalErrorMessage",
  );
  expect(given).toBe("my-own-id.7");
  const made = expectFault(
    await client.send("POST", WIDGETS, { body }),
    500,
    "InternalErrorMessage",
  );
  own.child.kill("SIGTERM");
  const { output } = await own.ended;
  const errors = logOf(output).filter(({ level }) => level >= 50);
  expect(errors.map(({ requestId }) => requestId)).toEqual([given, made]);
  // The first is told whole, the second shortly.
  const [first, second] = errors;
  for (const told of [first?.err, second?.fault]) {
    expect(told?.message).toContain("SELECT secret FROM /etc/passwd");
  }
});

test.each(["a b", "x".repeat(65), "a\u00e9", "<script>", "a;b", "{}"])(
  "a request id of the caller's that could do harm is replaced: %j",
  async (sent) => {
    hooks.authorize = () => {
      throw new Error("canary");
    };
    const answer = await service.send("GET", WIDGETS, { headers: { "x-request-id": sent } });
    expect(expectFault(answer, 500, "InternalErrorMessage")).not.toBe(sent);
  },
);
