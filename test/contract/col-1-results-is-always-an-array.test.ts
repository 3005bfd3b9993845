import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { startService } from "./support/service.js";

const service = await startService();

test("an empty collection has empty results", async () => {
  const body = await service.read("/api/v1/widgets");
  expect(body).toEqual({ results: [], itemCount: 0, pageNumber: 1, pageSize: 20, pageCount: 0 });
});

test("a collection answers an object whose results are the entities as they are read one by one", async () => {
  const first = await service.create("/api/v1/badges", badge("one"));
  const second = await service.create("/api/v1/badges", badge("two"));
  const body = await service.read("/api/v1/badges");
  expect(body["results"]).toEqual([first, second]);
  expect(await service.read(`/api/v1/badges/${String(first["badgeId"])}`)).toEqual(first);
});

test("a collection without a count has results as well", async () => {
  expect(await service.read("/api/v1/logs")).toEqual({ results: [], pageNumber: 1, pageSize: 3 });
});

test("nothing found is empty results, and so is a page past the end", async () => {
  await service.create("/api/v1/widgets", { name: "drill" });
  expect((await service.read("/api/v1/widgets?name=hammer"))["results"]).toEqual([]);
  expect((await service.read("/api/v1/widgets?pageNumber=9"))["results"]).toEqual([]);
});

test("a refused list is an error and has no results", async () => {
  const answer = await service.send("GET", "/api/v1/widgets?pageSize=0");
  expectError(answer, 400, "ValidationFailedMessage");
  expect(answer.json).not.toHaveProperty("results");
});

function badge(serial: string) {
  return { serial, addresses: ["a@example.com"], box: { width: 1 } };
}
