import { expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { at, expectError, resultsOf, type ErrorElement } from "./support/errors.js";
import {
  HOSTILE_CASES,
  prepare,
  rawBytes,
  type HostileCase,
  type Places,
  type PreparedRequest,
} from "./support/hostile-requests.js";
import { NAUGHTY_TEXTS, VARIANTS } from "./support/hostile-variants.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { logOf, startProcess } from "./support/service-process.js";
import { temporaryFolder } from "./support/temporary-folder.js";
import { onWire } from "./support/wire.js";

/** Where the corpus leaves a choice, or says otherwise, the rules decide. */
const RULES_DECIDE: Readonly<Record<string, readonly [status: number, rule: string]>> = {
  "REQ-001": [400, "ERR-2: bytes that are no request are malformed"],
  "REQ-002": [501, "ERR-2: a method that nobody knows"],
  "REQ-003": [501, "ERR-2: a method that nobody knows"],
  "REQ-010": [414, "LIM-1: the URL"],
  "REQ-011": [431, "LIM-1: the headers"],
  "REQ-012": [431, "LIM-1: the headers"],
  "REQ-019": [408, "ERR-2: a half-sent request"],
  "REQ-026": [415, "REP-8: the type is judged before the body is read"],
  "REQ-032": [200, "an upgrade that is not offered is ignored (RFC 9110)"],
  "REQ-034": [200, "the whole URL is a request target (RFC 9112)"],
  "REQ-035": [405, "OPS-7"],
  "REQ-077": [415, "REP-8: a body that is encoded"],
  "REQ-076": [415, "REP-8: a body that is encoded"],
  "REQ-078": [200, "a body on a GET is ignored (RFC 9110)"],
  "REQ-082": [404, "VER-1"],
  "REQ-091": [404, "IDN-4"],
  "REQ-092": [404, "IDN-4"],
  "REQ-093": [404, "IDN-4"],
  "REQ-094": [404, "ERR-2: a path that is nothing"],
  "REQ-095": [404, "IDN-4"],
  "REQ-096": [404, "IDN-4"],
  "REQ-098": [404, "IDN-4"],
  "REQ-101": [404, "IDN-4"],
  "REQ-102": [404, "IDN-4"],
  "REQ-158": [400, "Numbers: a decimal is a JSON string"],
  "REQ-162": [400, "REP-2: white space for a required property"],
  "REQ-169": [201, "ENT-3: what the service writes is ignored"],
  "REQ-170": [201, "ENT-3: what the service writes is ignored"],
  "REQ-184": [201, "REP-3: null is [] first"],
  "REQ-201": [200, "ENT-3: what the service writes is ignored"],
  "REQ-204": [200, "OPS-5: any subset"],
  "REQ-231": [200, "QRY-3: an empty value matches null"],
  "REQ-242": [400, "QRY-6: a value of the wrong type"],
  "REQ-261": [400, "QRY-6: out of bounds"],
};

/** Refused for what its body says, not for its bytes: the connection stays usable. */
const ENDS_WHERE_IT_SAYS: ReadonlySet<string> = new Set(["REQ-028"]);

const running = startProcess(temporaryFolder(), {
  LOG_LEVEL: "debug",
  TEST_REQUEST_SECONDS: "2",
});
const service = await running.ready;

const wire = HOSTILE_CASES.filter(({ request }) => request.raw !== undefined);
const plain = HOSTILE_CASES.filter(({ request }) => request.raw === undefined);
const rows = (cases: readonly HostileCase[]) =>
  cases.map((hostile) => [hostile.id, hostile.what, hostile] as const);

async function places(): Promise<Places> {
  const kept = await service.create(WIDGETS, FULL_WIDGET);
  const gone = await service.create(WIDGETS, FULL_WIDGET);
  await service.send("DELETE", pathOf(WIDGETS, gone));
  return { id: String(kept["widgetId"]), deleted: String(gone["widgetId"]) };
}

const countOf = async () => (await service.read(`${WIDGETS}?pageSize=1`))["itemCount"];

/** The statuses that the rules, or else the corpus, permit. */
function permitted({ id, status }: HostileCase): readonly number[] {
  const ruled = RULES_DECIDE[id];
  return ruled === undefined ? status : [ruled[0]];
}

/** Every answer from 400 up is one error of the contract, and tells nothing of the inside. */
function expectContract(answer: Answer, statuses: readonly number[]): ErrorElement | null {
  expect(statuses, answer.text.slice(0, 500)).toContain(answer.status);
  if (answer.status < 400) return null;
  const [, type = ""] = /"type": "(\w+Message)"/.exec(answer.text) ?? [];
  const element = expectError(answer, answer.status, type);
  expect(answer.text).not.toMatch(/\bat .*\.[jt]s:|node_modules|SQLITE|SELECT |canary/);
  return element;
}

test.each(rows(wire))("%s on the wire: %s", async (_id, _what, hostile) => {
  const bytes = rawBytes(hostile.request.raw ?? "");
  const { answers, closed } = await onWire(service, bytes, { quietMilliseconds: 5000 });
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  if (answer === undefined) return;
  expectContract(answer, permitted(hostile));
  // What comes behind such bytes on the connection cannot be told apart any more.
  const isOver = [400, 408, 413, 414, 417, 431].includes(answer.status);
  if (isOver && !ENDS_WHERE_IT_SAYS.has(hostile.id)) expect(closed).toBe(true);
});

test.each(rows(plain))("%s: %s", async (_id, _what, hostile) => {
  await attack(prepare(hostile, await places()), permitted(hostile));
});

test.each(VARIANTS.map((variant) => [variant.what, variant] as const))(
  "a variant: %s",
  async (_what, { method = "POST", path = WIDGETS, body, headers, status }) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = { ...(body !== undefined && { "content-type": "application/json" }), ...headers };
    await attack({ method, path, headers: sent, ...(text !== undefined && { body: text }) }, [
      status,
    ]);
  },
);

/** Sends one request and checks what it may have done: nothing, unless it was accepted. */
async function attack(request: PreparedRequest, statuses: readonly number[]): Promise<void> {
  const { method, path, headers, body } = request;
  const before = await stateOf(path);
  const began = performance.now();
  const answer = await service.send(method, path, {
    headers,
    ...(body !== undefined && { body }),
  });
  expect(performance.now() - began).toBeLessThan(5000);
  expectContract(answer, statuses);
  if (answer.status >= 400) expect(await stateOf(path)).toEqual(before);
  else if (answer.status === 201 || method === "PATCH") expectExact(answer, body);
  else if (method === "GET" && path.includes("?")) expectFiltered(answer, path);
}

/** How many widgets there are, and the one that the path names. */
async function stateOf(path: string): Promise<readonly unknown[]> {
  const [, id] = /^\/api\/v1\/widgets\/([0-9a-f-]{36})$/.exec(path) ?? [];
  const widget = id === undefined ? null : (await service.send("GET", `${WIDGETS}/${id}`)).text;
  return [await countOf(), widget?.replace(/The request id is [^"]*/, "")];
}

/** S10: what is stored is what was sent, but for what the service writes itself, and null for []. */
function expectExact(answer: Answer, body: string | Uint8Array | undefined): void {
  const sent = JSON.parse(String(body)) as JsonObject;
  for (const [name, value] of Object.entries(sent)) {
    if (/Id$|Date$|Subject$/.test(name) && name !== "startDate") continue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      expect(answer.json[name]).toMatchObject(value);
    } else {
      expect(answer.json[name]).toEqual(name === "tags" ? (value ?? []) : value);
    }
  }
}

/** A filter that was accepted is a value: every result has it. */
function expectFiltered(answer: Answer, path: string): void {
  const parameters = new URLSearchParams(path.slice(path.indexOf("?")));
  for (const [name, text] of parameters) {
    if (["sort", "pageSize", "pageNumber"].includes(name)) continue;
    for (const widget of resultsOf(answer.json)) {
      expect(String(at(widget, name) ?? "")).toBe(text);
    }
  }
}

test.each(NAUGHTY_TEXTS)(
  "the text %j is refused, or kept byte by byte and found again",
  async (text) => {
    const body = {
      name: text,
      note: text,
      tags: [text],
      deliveryAddress: { state: text, city: text },
    };
    const answer = await service.send("POST", WIDGETS, { body });
    if (expectContract(answer, [201, 400]) !== null) {
      expect(text.trim() === "" || /\0|\p{Cs}/u.test(text) || text.length > 30).toBe(true);
      return;
    }
    expect(answer.json).toMatchObject(body);
    const path = pathOf(WIDGETS, answer.json);
    expect((await service.send("GET", path)).text).toBe(answer.text);
    for (const name of ["name", "tags", "deliveryAddress.state"]) {
      const search = `${name}=${encodeURIComponent(text)}&sort=-createdDate&pageSize=1`;
      expect(resultsOf(await service.read(`${WIDGETS}?${search}`))).toEqual([answer.json]);
    }
    expect((await service.send("DELETE", path)).status).toBe(204);
  },
);

test("after all of this the process answers, and its memory is flat", async () => {
  const quick = plain.filter(({ id }) => !["REQ-077", "REQ-142", "REQ-143"].includes(id));
  const where = await places();
  const round = async () => {
    for (const hostile of quick) {
      const { method, path, headers, body } = prepare(hostile, where);
      await service.send(method, path, { headers, ...(body !== undefined && { body }) });
    }
    for (const { id, request } of wire) {
      if (id !== "REQ-019")
        await onWire(service, rawBytes(request.raw ?? ""), { quietMilliseconds: 50 });
    }
    return Number((await service.read("/memory"))["bytes"]);
  };
  const warm = Math.max(await round(), await round());
  let last = 0;
  for (let times = 0; times < 4; times += 1) last = await round();
  expect(last - warm).toBeLessThan(3_000_000);
  expect(await service.read("/healthz")).toEqual({ status: "ok" });
  expect(await service.read("/readyz")).toEqual({ status: "ok" });
});

test("no request has changed what every object inherits", async () => {
  const { prototype } = await service.read("/memory");
  expect(prototype).toEqual(Object.getOwnPropertyNames(Object.prototype));
});

test("the log has a line for every answer and no fault among them", async () => {
  running.child.kill("SIGTERM");
  const { code, output } = await running.ended;
  expect([code, output.stderr]).toEqual([0, ""]);
  const lines = logOf(output);
  expect(lines.length).toBeGreaterThan(HOSTILE_CASES.length);
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  // 501 is what ERR-2 says of a method that nobody knows.
  const faults = lines.filter(({ status = 0 }) => status >= 500 && status !== 501);
  expect(faults).toEqual([]);
});
