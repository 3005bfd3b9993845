import fc from "fast-check";
import { expect, test } from "vitest";
import type { Answer, JsonObject } from "./support/client.js";
import { expectFields, resultsOf } from "./support/errors.js";
import { answerOf, searchOf } from "./support/query-model.js";
import { queries, startWithWidgets } from "./support/query-widgets.js";
import { MISSING, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const { service, widgets } = await startWithWidgets(80);
const own = await startService("contract");
const PALLETS = "/api/v1/pallets";

/** The path and the query of the page that follows; null: none does. */
function nextOf({ headers }: Answer): string | null {
  const link = String(headers["link"] ?? "");
  const [, url] = /^<(.*)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

async function walk(from: string): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  for (let path: string | null = from; path !== null;) {
    const answer: Answer = await service.send("GET", path);
    expect(answer.status).toBe(200);
    pages.push(answer.json);
    path = nextOf(answer);
  }
  return pages;
}

test("who follows the links of any query sees its whole answer, none twice, none lost", async () => {
  const sizes = fc.integer({ min: 1, max: 20 });
  await fc.assert(
    fc.asyncProperty(queries, sizes, async (query, size) => {
      const search = searchOf(query, { pageSize: String(size) });
      const pages = await walk(`${WIDGETS}?${search}`);
      const wanted = answerOf(widgets, query);
      expect(pages.flatMap(resultsOf)).toEqual(wanted);
      for (const [index, page] of pages.entries()) {
        expect(page["itemCount"]).toBe(wanted.length);
        expect(page["pageSize"]).toBe(size);
        expect("pageNumber" in page).toBe(index === 0);
        expect("pageCount" in page).toBe(index === 0);
      }
    }),
    { numRuns: 150 },
  );
});

test("what is deleted, made and moved between two pages shifts nothing else", async () => {
  const { service: other, widgets: all } = await startWithWidgets(60);
  const path = `${WIDGETS}?sort=-size,name&pageSize=7`;
  const [first, ...rest] = all;
  const seen: unknown[] = [];
  for (let at: string | null = path; at !== null;) {
    const answer: Answer = await other.send("GET", at);
    const results = resultsOf(answer.json);
    seen.push(...results.map(({ widgetId }) => widgetId));
    at = nextOf(answer);
    await other.create(WIDGETS, { name: "new", size: 999_999 });
    const moved = `${WIDGETS}/${String(first?.["widgetId"])}`;
    await other.send("PATCH", moved, { body: { size: seen.length % 2 === 0 ? 0 : 1_000_000 } });
    const last = results.at(-1);
    if (last !== undefined && last["widgetId"] !== first?.["widgetId"])
      await other.send("DELETE", `${WIDGETS}/${String(last["widgetId"])}`);
  }
  const ids = rest.map(({ widgetId }) => widgetId);
  expect(ids.filter((id) => seen.includes(id))).toHaveLength(ids.length);
  const unmoved = seen.filter((id) => id !== first?.["widgetId"]);
  expect(new Set(unmoved).size).toBe(unmoved.length);
});

test("the last page leads nowhere, however full it is, and a page leads on where others are deleted", async () => {
  const own9 = await startService("contract");
  const ids: string[] = [];
  for (let index = 0; index < 6; index += 1) {
    const made = await own9.create(WIDGETS, { name: `w${index}` });
    ids.push(String(made["widgetId"]));
  }
  const links = async (search: string): Promise<boolean> =>
    nextOf(await own9.send("GET", `${WIDGETS}?${search}`)) !== null;
  expect(await links("pageSize=6")).toBe(false);
  expect(await links("pageSize=5")).toBe(true);
  expect(await links("pageSize=3&pageNumber=2")).toBe(false);
  const second = nextOf(await own9.send("GET", `${WIDGETS}?pageSize=3`)) ?? "";
  expect(nextOf(await own9.send("GET", second))).toBeNull();
  expect(await links("page%53ize=3&page%4Eumber=1")).toBe(true);
  const encoded = nextOf(await own9.send("GET", `${WIDGETS}?page%53ize=3&page%4Eumber=1`)) ?? "";
  expect((await own9.send("GET", encoded)).status).toBe(200);
  // Of five, one goes while they are read: a page that still shows it has another one behind it.
  await own9.send("DELETE", `${WIDGETS}/${ids[5] ?? ""}`);
  for (let round = 0; round < 10; round += 1) {
    const gone = String(resultsOf(await own9.read(WIDGETS))[0]?.["widgetId"]);
    const reading = Array.from({ length: 20 }, async () =>
      own9.send("GET", `${WIDGETS}?pageSize=4`),
    );
    const [answers] = await Promise.all([
      Promise.all(reading),
      own9.send("DELETE", `${WIDGETS}/${gone}`),
    ]);
    for (const answer of answers) {
      const shown = resultsOf(answer.json).some(({ widgetId }) => widgetId === gone);
      expect(nextOf(answer) !== null).toBe(shown);
    }
    await own9.create(WIDGETS, { name: "another" });
  }
});

test("a token is of one list, with its filters and its order", async () => {
  const next = nextOf(await service.send("GET", `${WIDGETS}?pageSize=5`)) ?? "";
  const token = new URLSearchParams(next.split("?")[1]).get("after") ?? "";
  const path = `${WIDGETS}?pageSize=9&after=`;
  expect((await service.send("GET", path + token)).status).toBe(200);
  const keys = (json: unknown): string =>
    token.slice(0, 12) + Buffer.from(JSON.stringify(json)).toString("base64url");
  for (const wrong of [
    `${path}${token}&sort=name`,
    `${path}${token}&name=a`,
    `${path}${token.slice(1)}`,
    `${path}x`,
    `${path}${keys([])}`,
    `${path}${keys({})}`,
    `${path}${keys([1])}`,
    `${path}${keys([null])}`,
    `${path}${keys(["a", MISSING])}`,
    `${path}${token.slice(0, 12)}%00`,
    `${path}${token}&after=${token}`,
    `${path}${token}&pageNumber=1`,
    path,
  ]) {
    expectFields(await service.send("GET", wrong), "after");
  }
  expect((await service.send("GET", path + keys([MISSING]))).status).toBe(200);
});

test.each(["size", "-weight", "price", "startDate", "status", "deliveryAddress.state"])(
  "sort=%s: keys that nobody has given are refused, or lead somewhere",
  async (sort) => {
    const first = await service.send("GET", `${WIDGETS}?pageSize=1&sort=${sort}`);
    const token = new URLSearchParams(String(nextOf(first)).split("?")[1]).get("after") ?? "";
    for (const key of [
      "a",
      "s",
      "si",
      "i1",
      "i9".padEnd(30, "9"),
      "s\0",
      "s\ud800",
      "NaN",
      1e300,
      null,
      true,
      [],
      {},
    ]) {
      const keys = Buffer.from(JSON.stringify([key, MISSING])).toString("base64url");
      const path = `${WIDGETS}?pageSize=1&sort=${sort}&after=${token.slice(0, 12)}${keys}`;
      const answer = await service.send("GET", path);
      if (answer.status !== 200) expectFields(answer, "after");
    }
  },
);

test("aliases, children, representations and searches lead on in the order of the whole list", async () => {
  const depot = await own.create("/api/v1/depots", { name: "Quay" });
  for (let index = 0; index < 9; index += 1) {
    const texts = { name: `Found ${index % 2}`, note: index % 3 === 0 ? "quay" : null };
    const aliases = index % 4 === 0 ? ["quay"] : [];
    const reference = index % 2 === 0 ? { depotId: depot["depotId"] ?? null } : null;
    await own.create("/api/v1/contacts", { ...texts, aliases, depot: reference });
    await own.create(PALLETS, { title: String(index), bay: index % 3, weight: 0 });
  }
  const yard = await own.create("/api/v1/yards", {});
  const tracks = `/api/v1/yards/${String(yard["yardId"])}/tracks`;
  for (let index = 0; index < 5; index += 1) await own.create(tracks, {});
  for (const path of [
    `${PALLETS}?sort=-bay`,
    `${PALLETS}/newest?bay=1`,
    "/api/v1/restingpallets?",
    "/api/v1/contacts?search=quay",
    "/api/v1/contacts?search=found",
    "/api/v1/contacts?search=quay&sort=-name",
    `${tracks}?`,
  ]) {
    const whole = await own.send("GET", `${path}&pageSize=100`);
    expect(whole.status, path).toBe(200);
    const seen: JsonObject[] = [];
    for (let at: string | null = `${path}&pageSize=2`; at !== null;) {
      const answer: Answer = await own.send("GET", at);
      expect(answer.status).toBe(200);
      seen.push(...resultsOf(answer.json));
      at = nextOf(answer);
    }
    expect(seen, path).toEqual(resultsOf(whole.json));
    expect(seen.length, path).toBeGreaterThan(2);
  }
});
