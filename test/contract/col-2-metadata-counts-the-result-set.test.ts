import { expect, test } from "vitest";
import type { JsonObject } from "./support/client.js";
import { resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const service = await startService();
for (let size = 1; size <= 45; size++) {
  const active = size % 3 === 0;
  await service.create("/api/v1/widgets", { name: "drill", size, active });
}
for (let count = 0; count < 4; count++) await service.create("/api/v1/logs", { line: "a line" });

function metadata({ results: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

test.each([
  { query: "", found: 20, want: { itemCount: 45, pageNumber: 1, pageSize: 20, pageCount: 3 } },
  {
    query: "pageNumber=2",
    found: 20,
    want: { itemCount: 45, pageNumber: 2, pageSize: 20, pageCount: 3 },
  },
  {
    query: "pageNumber=3",
    found: 5,
    want: { itemCount: 45, pageNumber: 3, pageSize: 20, pageCount: 3 },
  },
  {
    query: "pageNumber=4",
    found: 0,
    want: { itemCount: 45, pageNumber: 4, pageSize: 20, pageCount: 3 },
  },
  {
    query: "pageSize=45",
    found: 45,
    want: { itemCount: 45, pageNumber: 1, pageSize: 45, pageCount: 1 },
  },
  {
    query: "pageSize=44",
    found: 44,
    want: { itemCount: 45, pageNumber: 1, pageSize: 44, pageCount: 2 },
  },
  {
    query: "pageSize=46",
    found: 45,
    want: { itemCount: 45, pageNumber: 1, pageSize: 46, pageCount: 1 },
  },
  {
    query: "pageSize=1&pageNumber=45",
    found: 1,
    want: { itemCount: 45, pageNumber: 45, pageSize: 1, pageCount: 45 },
  },
  {
    query: "pageSize=9&pageNumber=5",
    found: 9,
    want: { itemCount: 45, pageNumber: 5, pageSize: 9, pageCount: 5 },
  },
  {
    query: "active=true",
    found: 15,
    want: { itemCount: 15, pageNumber: 1, pageSize: 20, pageCount: 1 },
  },
  {
    query: "active=true&pageSize=10&pageNumber=2&sort=-size",
    found: 5,
    want: { itemCount: 15, pageNumber: 2, pageSize: 10, pageCount: 2 },
  },
  {
    query: "name=none",
    found: 0,
    want: { itemCount: 0, pageNumber: 1, pageSize: 20, pageCount: 0 },
  },
  {
    query: "name=none&pageNumber=7&pageSize=5",
    found: 0,
    want: { itemCount: 0, pageNumber: 7, pageSize: 5, pageCount: 0 },
  },
])("?$query is answered with all four", async ({ query, found, want }) => {
  const body = await service.read(`/api/v1/widgets?${query}`);
  expect(metadata(body)).toEqual(want);
  expect(resultsOf(body)).toHaveLength(found);
});

test("the count follows what is created and deleted", async () => {
  const count = async (): Promise<unknown> =>
    (await service.read("/api/v1/badges?pageSize=1"))["itemCount"];
  const before = await count();
  expect(before).toBe(0);
  const body = { serial: "one", addresses: ["a@example.com"], box: { width: 1 } };
  const { badgeId } = await service.create("/api/v1/badges", body);
  expect(await count()).toBe(1);
  await service.send("DELETE", `/api/v1/badges/${String(badgeId)}`);
  expect(await count()).toBe(0);
});

test("a resource with `count: none` leaves itemCount and pageCount out, and only those", async () => {
  const first = await service.read("/api/v1/logs");
  expect(metadata(first)).toEqual({ pageNumber: 1, pageSize: 3 });
  expect(resultsOf(first)).toHaveLength(3);
  const second = await service.read("/api/v1/logs?pageNumber=2");
  expect(metadata(second)).toEqual({ pageNumber: 2, pageSize: 3 });
  expect(resultsOf(second)).toHaveLength(1);
  const past = await service.read("/api/v1/logs?pageNumber=3&pageSize=5");
  expect(past).toEqual({ results: [], pageNumber: 3, pageSize: 5 });
});

test("an entity has no metadata of a collection", async () => {
  const [widget = {}] = resultsOf(await service.read("/api/v1/widgets"));
  for (const name of ["itemCount", "pageNumber", "pageSize", "pageCount", "results"]) {
    expect(widget).not.toHaveProperty(name);
  }
});
