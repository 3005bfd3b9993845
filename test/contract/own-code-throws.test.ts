import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ApiError } from "#runtime/base/errors";
import { expectError } from "./support/errors.js";
import { places } from "./support/process-tests.js";
import { LOGS, WIDGETS } from "./support/samples.js";
import { logOf, startProcess } from "./support/service-process.js";
import { LATE, throwingCode } from "./support/throwing-code.js";

const place = places();
const running = startProcess(place("throwing"), { TEST_THROWS: "true", LOG_LEVEL: "info" });
const client = await running.ready;
const ended: unknown[] = [];
void running.ended.then((end) => ended.push(end));

const isNode20 = process.version.startsWith("v20.");
const names = Object.keys(throwingCode(ApiError));
const throwersIn = () =>
  logOf(running.output).map((line) => Reflect.get(line, "thrownBy") as unknown);
const send = async (method: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${client.port}/api/v1/throwing`, { method, headers });

test.each(names)(
  "%s of a hook is a matter of its own request, and is logged with it",
  async (name) => {
    const before = throwersIn().length;
    const other = client.send("GET", LOGS);
    const answer = await client.send("POST", WIDGETS, { body: { name } });
    if (LATE.includes(name)) expect(answer.status).toBe(201);
    else expectError(answer, 500, "InternalErrorMessage");
    expect((await other).status).toBe(200);
    await expect.poll(() => throwersIn().length).toBeGreaterThan(before);
    // Node 20 does not know who began a microtask that throws.
    expect(throwersIn().at(-1)).toBe(
      name.includes("microtask") && isNode20 ? "custom code" : "beforeCreate of widgets",
    );
    expect((await client.send("GET", "/healthz")).status).toBe(200);
    expect(ended).toEqual([]);
  },
);

test("what is logged of an error has a bound, and says what was cut", () => {
  const lines = running.output.stdout.split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(50_000);
  const long = lines.find((line) => line.includes("(cut, 1000000 characters)"));
  expect(long).toContain("at ");
  expect(lines.find((line) => line.includes("part 19"))).toContain("(cut, 1000 items)");
});

test.each([
  ["POST", 204, "POST /api/v1/throwing of src/app.ts"],
  ["GET", 500, "GET /api/v1/throwing of src/app.ts"],
  ["PUT", 500, "PUT /api/v1/throwing of src/app.ts"],
])("%s of a route that fails is %d, and its name is in the log", async (method, status, code) => {
  expect((await send(method)).status).toBe(status);
  await expect.poll(throwersIn).toContain(code);
});

test.each([
  ["leave", 204, "onRequest of a plugin"],
  ["throw", 500, "onRequest of a plugin"],
  ["header", 500, "onRequest of a plugin"],
])("what a plugin does (%s) is a matter of its own request", async (wanted, status, code) => {
  const answer = await send("POST", { "x-plugin": wanted });
  expect(answer.status).toBe(status);
  if (status === 500) expect(await answer.text()).toContain("InternalErrorMessage");
  await expect.poll(throwersIn).toContain(code);
  expect((await client.send("GET", "/healthz")).status).toBe(200);
});

const plainly = async (path: string, headers: Record<string, string>, method = "GET") => {
  const answer = await fetch(`http://127.0.0.1:${client.port}${path}`, { method, headers });
  return { status: answer.status, text: await answer.text() };
};

test.each([
  ...["fail to send", "refuse to send", "send a thenable", "send nothing", "half a status"],
  ...["send a number", "send a broken stream", "frame it otherwise", "send a bad header"],
])(
  "a plugin's onSend that fails (%s) is answered by the contract, whatever it was an answer to",
  async (wanted) => {
    const headers = { "x-plugin": wanted };
    for (const [path, method] of [
      [WIDGETS, "GET"],
      [WIDGETS, "POST"],
      [`${WIDGETS}/${randomUUID()}`, "GET"],
      ["/nowhere", "GET"],
      ["/healthz", "GET"],
      ["/openapi/v1.json", "GET"],
      [WIDGETS, "HEAD"],
    ] as const) {
      const { status, text } = await plainly(path, headers, method);
      expect({ path, status }).toEqual({ path, status: wanted === "refuse to send" ? 409 : 500 });
      if (status === 500) expect(text).not.toContain("canary");
      const type = expect.stringMatching(/Message$/);
      if (method === "HEAD") expect(text).toBe("");
      else expect(JSON.parse(text)).toMatchObject({ errors: [{ type }] });
    }
    expect((await client.send("GET", "/healthz")).status).toBe(200);
    expect(ended).toEqual([]);
  },
);

test("what onStart and checks leave behind is logged, and stops nothing", async () => {
  expect((await client.send("GET", "/readyz")).status).toBe(200);
  await expect.poll(throwersIn).toContain("check left");
  expect(throwersIn()).toContain("onStart of src/app.ts");
  running.child.kill("SIGTERM");
  expect((await running.ended).code).toBe(0);
});

test.each([
  ["an error of the generated code", "/generated", {}],
  ["with STOP_ON_UNCAUGHT, an error of custom code", "/custom", { STOP_ON_UNCAUGHT: "true" }],
])("%s stops the service with exit code 1, and is logged", async (_, path, variables) => {
  const own = startProcess(place(path.slice(1)), { LOG_LEVEL: "info", ...variables });
  const asking = await own.ready;
  expect((await asking.send("GET", path)).status).toBe(200);
  const { code, output } = await own.ended;
  expect(code).toBe(1);
  expect(logOf(output).find(({ err }) => err?.message === "uncaught")?.msg).toMatch(
    path === "/custom" ? /^custom code left/ : /^stopping after/,
  );
  expect(logOf(output).at(-1)?.msg).toContain("has stopped");
});

test("a job whose microtask throws ends with exit code 1, and is done", async () => {
  const job = startProcess(place("job"), { TEST_JOB: "true", LOG_LEVEL: "warn" });
  job.ready.catch(() => undefined);
  const { code, output } = await job.ended;
  expect({ code, stdout: output.stdout }).toEqual({ code: 1, stdout: "done\n" });
  expect(output.stderr).toContain("The job left an error uncaught: Error: of a microtask");
});
