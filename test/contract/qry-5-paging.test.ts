import fc from "fast-check";
import { expect, test } from "vitest";
import { expectFields, resultsOf } from "./support/errors.js";
import { answerOf, searchOf, type Query } from "./support/query-model.js";
import { queries, startWithWidgets } from "./support/query-widgets.js";
import { LOGS, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const { service, widgets } = await startWithWidgets(45);

test("without parameters a list is the first page of 20", async () => {
  const body = await service.read(WIDGETS);
  expect(resultsOf(body)).toEqual(widgets.slice(0, 20));
  expect(body).toMatchObject({ itemCount: 45, pageNumber: 1, pageSize: 20, pageCount: 3 });
});

test.each([
  ["pageNumber=1", 0, 20, 3],
  ["pageNumber=2", 20, 40, 3],
  ["pageNumber=3", 40, 45, 3],
  ["pageSize=10&pageNumber=5", 40, 45, 5],
  ["pageSize=15&pageNumber=3", 30, 45, 3],
  ["pageSize=1&pageNumber=45", 44, 45, 45],
  ["pageSize=45", 0, 45, 1],
  ["pageSize=44", 0, 44, 2],
  ["pageSize=100", 0, 45, 1],
])("?%s is entities %i to %i, of %i pages", async (search, from, to, pageCount) => {
  const body = await service.read(`${WIDGETS}?${search}`);
  expect(resultsOf(body)).toEqual(widgets.slice(from, to));
  expect(body).toMatchObject({ itemCount: 45, pageCount });
});

test.each(["pageNumber=4", "pageSize=45&pageNumber=2", "pageNumber=2147483647&pageSize=100"])(
  "?%s is past the end: empty, and still 200 with the counts",
  async (search) => {
    const body = await service.read(`${WIDGETS}?${search}`);
    const page = new URLSearchParams(search);
    expect(body).toMatchObject({
      results: [],
      itemCount: 45,
      pageNumber: Number(page.get("pageNumber")),
      pageSize: Number(page.get("pageSize") ?? 20),
    });
  },
);

test("nothing found has no pages", async () => {
  expect(await service.read(`${WIDGETS}?name=nothing&pageNumber=2`)).toEqual({
    ...{ results: [], itemCount: 0, pageNumber: 2, pageSize: 20, pageCount: 0 },
  });
});

test("a resource can set its own sizes, and leave the counts out", async () => {
  const own = await startService();
  for (let line = 1; line <= 7; line += 1) await own.create(LOGS, { line: String(line) });
  const lines = async (search: string) => {
    const body = await own.read(`${LOGS}?${search}`);
    expect(Object.keys(body)).toEqual(["results", "pageNumber", "pageSize"]);
    return resultsOf(body).map(({ line }) => Number(line));
  };
  expect(await lines("")).toEqual([1, 2, 3]);
  expect(await lines("pageNumber=3")).toEqual([7]);
  expect(await lines("pageSize=5&pageNumber=2")).toEqual([6, 7]);
  expect(await lines("pageNumber=9")).toEqual([]);
});

test("the pages of any query, of any size, are its whole answer: none twice, none lost", async () => {
  const sizes = fc.integer({ min: 1, max: 20 });
  await fc.assert(
    fc.asyncProperty(queries, sizes, async (query, pageSize) => {
      const wanted = answerOf(widgets, query);
      const pageCount = Math.ceil(wanted.length / pageSize);
      for (let pageNumber = 1; pageNumber <= pageCount + 1; pageNumber += 1) {
        const paging = { pageSize: String(pageSize), pageNumber: String(pageNumber) };
        const body = await service.read(`${WIDGETS}?${searchOf(query, paging)}`);
        const from = (pageNumber - 1) * pageSize;
        expect(resultsOf(body)).toEqual(wanted.slice(from, from + pageSize));
        expect(body).toMatchObject({ itemCount: wanted.length, pageNumber, pageSize, pageCount });
      }
    }),
    { numRuns: 60 },
  );
});

test("an entity is on one page, however many of its items are asked for", async () => {
  const query: Query = { filters: ["red", "%"].map((tag) => ["tags", tag] as const), sort: [] };
  const wanted = answerOf(widgets, query);
  const pages = wanted.map((_, index) =>
    service.read(`${WIDGETS}?${searchOf(query, { pageSize: "1", pageNumber: String(index + 1) })}`),
  );
  expect((await Promise.all(pages)).flatMap(resultsOf)).toEqual(wanted);
});

test("a page of equal values is the same page every time", async () => {
  const path = `${WIDGETS}?sort=-status&pageSize=7&pageNumber=3`;
  const first = await service.send("GET", path);
  for (let times = 0; times < 5; times += 1) {
    expect((await service.send("GET", path)).text).toBe(first.text);
  }
});

test.each(["pageSize=101", "pageSize=1000", "pageSize=0"])(
  "%s is out of bounds",
  async (search) => {
    expectFields(await service.send("GET", `${LOGS}?${search}`), "pageSize");
  },
);
