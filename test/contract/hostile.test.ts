import { expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { at, resultsOf } from "./support/errors.js";
import {
  attackOnWire,
  expectContract,
  expectQuietEnd,
  growth,
  ON_WIRE,
  permitted,
  REQUESTS,
  rows,
} from "./support/hostile-answers.js";
import { prepare, type Places, type PreparedRequest } from "./support/hostile-requests.js";
import { NAUGHTY_TEXTS, VARIANTS } from "./support/hostile-variants.js";
import { FULL_WIDGET, pathOf, WIDGETS } from "./support/samples.js";
import { startProcess } from "./support/service-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const running = startProcess(temporaryFolder(), {
  LOG_LEVEL: "debug",
  TEST_REQUEST_SECONDS: "2",
});
const service = await running.ready;

async function places(): Promise<Places> {
  const kept = await service.create(WIDGETS, FULL_WIDGET);
  const gone = await service.create(WIDGETS, FULL_WIDGET);
  await service.send("DELETE", pathOf(WIDGETS, gone));
  return { id: String(kept["widgetId"]), deleted: String(gone["widgetId"]) };
}

const countOf = async () => (await service.read(`${WIDGETS}?pageSize=1`))["itemCount"];

test.concurrent.each(rows(ON_WIRE))("%s on the wire: %s", async (_id, _what, hostile) => {
  await attackOnWire(service, hostile);
});

test.each(rows(REQUESTS))("%s: %s", async (_id, _what, hostile) => {
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
  const where = await places();
  expect(await growth(service, (hostile) => prepare(hostile, where))).toBeLessThan(3_000_000);
  expect(await service.read("/healthz")).toEqual({ status: "ok" });
  expect(await service.read("/readyz")).toEqual({ status: "ok" });
});

test("no request has changed what every object inherits", async () => {
  const { prototype } = await service.read("/memory");
  expect(prototype).toEqual(Object.getOwnPropertyNames(Object.prototype));
});

test("the log has a line for every answer and no fault among them", () => expectQuietEnd(running));
