import fc from "fast-check";
import { expect, inject, test } from "vitest";
import type { Answer, JsonObject } from "../contract/support/client.js";
import { searchOf } from "../contract/support/query-model.js";
import { bodies, queries } from "../contract/support/query-widgets.js";
import { BADGES, newBadge, WIDGETS } from "../contract/support/samples.js";
import { startService, type TestService } from "../contract/support/service.js";
import { makeSchema, schemaUrl } from "../support/postgres-schema.js";

// The same requests, in the same order, at the same times: every answer is the same to the byte.

/** What a database could read, store, compare or write differently. */
const HOSTILE_TEXTS = [
  ...["'; DROP TABLE widgets; --", '"', "\\", "\\x41", "$1", "?", ":name", "%_", '{a,"b"}', "{}"],
  ...["NULL", "null", "[]", "true", "1e5", "0x10", "E'\\n'", " lead", "trail ", "a\tb", "\u0001"],
  ...[
    "ß",
    "ss",
    "é",
    "e\u0301",
    "İ",
    "ı",
    "ﬀ",
    "𝔘",
    "😀",
    "\uffff",
    "\u{10ffff}",
    "ａ",
    "­x",
    "x\u200dy",
  ],
];
const NUMBERS = [
  1e-17, 1e-10, 1.7976931348623157e308, 0.1, -0.1, 1e21, 1e-7, 123456789.123456789, -0,
];
const PRICES = ["9999999999999999.99", "-9999999999999999.99", "0.01", "-0.01", "0"];
const TIMES = ["0000-01-01T00:00:00.000Z", "0001-02-03T04:05:06.007Z", "9999-12-31T23:59:59.999Z"];

const hostile: fc.Arbitrary<JsonObject> = fc.record(
  {
    name: fc.constantFrom(...HOSTILE_TEXTS),
    weight: fc.constantFrom(...NUMBERS),
    price: fc.constantFrom(...PRICES),
    startDate: fc.constantFrom(...TIMES),
    note: fc.constantFrom(...HOSTILE_TEXTS, "x".repeat(10_000), "😀".repeat(10_000)),
    tags: fc.uniqueArray(fc.constantFrom(...HOSTILE_TEXTS), { maxLength: 4 }),
    deliveryAddress: fc.record({
      city: fc.constantFrom(...HOSTILE_TEXTS),
      state: fc.constantFrom(...HOSTILE_TEXTS, "😀".repeat(10_000)),
      place: fc.record({ doors: fc.array(fc.constantFrom(...HOSTILE_TEXTS), { maxLength: 3 }) }),
    }),
    parts: fc.array(
      fc.record({
        amount: fc.constantFrom(0, -1, 9007199254740991),
        label: fc.constantFrom("a", "b"),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ["name"] },
);
const body = fc.oneof(bodies, hostile);

interface Step {
  readonly method: string;
  /** Which of the entities made so far, where the path names one. */
  readonly which: number | null;
  readonly path: string;
  readonly body?: JsonObject;
}

const which = fc.nat({ max: 40 });
const hostileFilter = fc
  .tuple(
    fc.constantFrom("name", "tags", "deliveryAddress.state"),
    fc.constantFrom(...HOSTILE_TEXTS),
  )
  .map(([path, text]) =>
    new URLSearchParams([
      [path, text],
      [path, "a"],
    ]).toString(),
  );
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: body.map((sent) => step("POST", null, "", sent)) },
  { weight: 2, arbitrary: fc.tuple(which, body).map(([at, sent]) => step("PATCH", at, "", sent)) },
  { weight: 1, arbitrary: fc.tuple(which, body).map(([at, sent]) => step("PUT", at, "", sent)) },
  { weight: 1, arbitrary: which.map((at) => step("DELETE", at, "")) },
  { weight: 1, arbitrary: which.map((at) => step("GET", at, "")) },
  {
    weight: 4,
    arbitrary: queries.map((query) => step("GET", null, `?${searchOf(query)}&pageSize=50`)),
  },
  { weight: 1, arbitrary: hostileFilter.map((search) => step("GET", null, `?${search}`)) },
);

function step(method: string, at: number | null, search: string, sent?: JsonObject): Step {
  const path = `${WIDGETS}${search}`;
  return { method, which: at, path, ...(sent !== undefined && { body: sent }) };
}

/** A service whose clock and identifiers are those of its twin. */
async function twin(databaseUrl: string): Promise<TestService> {
  let ticks = 0;
  let made = 0;
  return startService("contract", {
    databaseUrl,
    baseUrl: "http://api.example.com",
    clock: () => Date.UTC(2026, 0, 1) + Math.floor(ticks++ / 3),
    newIdentifier: () => `0190a0a0-0000-7000-8000-${String(made++).padStart(12, "0")}`,
  });
}

const postgresUrl = schemaUrl(inject("postgresUrl"));
await makeSchema(postgresUrl);
const twins = [await twin("sqlite::memory:"), await twin(postgresUrl)];

/** What both answered; fails where they differ. */
async function both(method: string, path: string, sent?: JsonObject): Promise<Answer> {
  const given = sent === undefined ? {} : { body: sent };
  const [one, other] = await Promise.all(twins.map((service) => service.send(method, path, given)));
  if (one === undefined || other === undefined) throw new Error("two services are compared");
  const shown = ({ status, text, headers }: Answer) => {
    const { date: _date, "x-request-id": _id, link, ...rest } = headers;
    // A token has values as its database reads them.
    const next = String(link).replace(/after=[\w-]+/, "after=");
    return { request: `${method} ${path}`, status, text, next, rest };
  };
  expect(shown(other)).toEqual(shown(one));
  return one;
}

test("a long random session has the same answers on both databases", async () => {
  const paths: string[] = [];
  const statuses = new Set<number>();
  for (const { method, which: at, path, body: sent } of fc.sample(steps, {
    numRuns: 700,
    seed: 11,
  })) {
    const target = at === null ? path : (paths[at % Math.max(1, paths.length)] ?? WIDGETS);
    const answer = await both(method, target, sent);
    statuses.add(answer.status);
    if (answer.status === 201) paths.push(`${WIDGETS}/${String(answer.json["widgetId"])}`);
  }
  // Or the session has shown little.
  for (const status of [200, 201, 204, 400, 404]) expect(statuses).toContain(status);
});

test.each([
  "name",
  "-name",
  "price",
  "-weight",
  "startDate",
  "-deliveryAddress.state",
  "status,-size",
])("every page of sort=%s is the same", async (sort) => {
  for (let page = 1; page <= 4; page += 1) {
    await both("GET", `${WIDGETS}?sort=${sort}&pageSize=50&pageNumber=${page}`);
  }
});

test("unique values clash in the same words", async () => {
  for (const serial of ["a", "A", "ä", "a ", "a", "ä"])
    await both("POST", BADGES, newBadge(serial));
  await both("POST", BADGES, { ...newBadge("b"), alias: "x" });
  const answer = await both("POST", BADGES, { ...newBadge("c"), alias: "x" });
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("alias")]);
});
