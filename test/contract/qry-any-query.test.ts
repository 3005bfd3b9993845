import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { answerOf, searchOf } from "./support/query-model.js";
import { queries, startWithWidgets } from "./support/query-widgets.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const PALLETS = "/api/v1/pallets";
const clock = { now: Date.parse("2026-03-10T12:00:00.000Z") };
const { service, widgets } = await startWithWidgets(80);
const own = await startService("contract", { clock: () => clock.now });

test("any query finds, sorts and counts what a model in memory does", async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const wanted = answerOf(widgets, query);
      const body = await service.read(`${WIDGETS}?${searchOf(query, { pageSize: "100" })}`);
      expect(resultsOf(body)).toEqual(wanted);
      expect(body["itemCount"]).toBe(wanted.length);
    }),
    { numRuns: 500 },
  );
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

test("the last page that can be asked for is past the end of any list", async () => {
  const search = "sort=-status&pageNumber=2147483647&pageSize=100";
  expect(await service.read(`${WIDGETS}?${search}`)).toMatchObject({ results: [], itemCount: 80 });
});

const height = (value: number | null, price: string): JsonObject => ({
  ...{ bay: value, price, measures: { height: value } },
});
const pallets: JsonObject[] = [];
for (const more of [height(-3, "-9.99"), height(0, "10.00"), height(9, "9.99"), {}]) {
  pallets.push(await own.create(PALLETS, { title: String(pallets.length), ...more }));
  clock.now += 1000;
}

async function titles(search: string): Promise<string> {
  const page = await own.read(`${PALLETS}?sort=title&${search}`);
  return resultsOf(page)
    .map(({ title }) => String(title))
    .join("");
}

test("random bounds find what a comparison in memory finds", async () => {
  const bound = fc.constantFrom("atLeast", "moreThan", "atMost", "lessThan");
  const asked = fc.array(
    fc.record({
      path: fc.constantFrom("bay", "price", "measures.height"),
      bound,
      value: fc.integer({ min: -12, max: 12 }),
    }),
    { maxLength: 3 },
  );
  await fc.assert(
    fc.asyncProperty(asked, async (given) => {
      const chosen = [...new Map(given.map((one) => [`${one.path}.${one.bound}`, one])).values()];
      const search = chosen.map((one) => `${one.path}.${one.bound}=${one.value}`).join("&");
      const want = pallets
        .filter((one) => chosen.every((each) => isWithin(at(one, each.path) ?? null, each)))
        .map(({ title }) => String(title));
      expect(await titles(search)).toBe(want.join(""));
    }),
    { numRuns: 60 },
  );
});

function isWithin(value: Json, { bound, value: limit }: { bound: string; value: number }): boolean {
  if (value === null) return false;
  const number = Number(value);
  if (bound === "atLeast") return number >= limit;
  if (bound === "moreThan") return number > limit;
  return bound === "atMost" ? number <= limit : number < limit;
}

test("dates of creation and of the last change are told apart, in filters and in sorts", async () => {
  const path = `${PALLETS}/${String(pallets[0]?.["palletId"])}`;
  await own.send("PATCH", path, { body: { bay: -3, status: "loaded" } });
  expect(await titles("createdDate=2026-03-10T12:00:00.000Z")).toBe("0");
  expect(await titles("lastModifiedDate.atLeast=2026-03-10T12:00:04.000Z")).toBe("0");
  const order = async (sort: string) =>
    resultsOf(await own.read(`${PALLETS}?sort=${sort}`)).map(({ title }) => title);
  expect(await order("-createdDate")).toEqual(["3", "2", "1", "0"]);
  expect(await order("-lastModifiedDate")).toEqual(["0", "3", "2", "1"]);
});

test("a bound is given once", async () => {
  const answer = await own.send("GET", `${PALLETS}?bay.atLeast=1&bay.atLeast=2`);
  expectFields(answer, "bay.atLeast");
});

test.each([
  ["status.atLeast", 'is not known; "status" can only be filtered by its values'],
  ["bay_gte", 'is not known; did you mean "bay.atLeast"?'],
  ["bay[lt]", 'is not known; did you mean "bay.lessThan"?'],
  ["bay.max", 'is not known; did you mean "bay.atMost"?'],
  ["bay.atleast", 'is not known; did you mean "bay.atLeast"?'],
  ["toString.atLeast", "is not known; filtered are "],
])("%s is not a parameter: %s", async (name, message) => {
  const answer = await own.send("GET", `${PALLETS}?${encodeURIComponent(name)}=1`);
  const said = expectFields(answer, name)[name];
  // The list is that of all filters of the resource.
  expect(said?.slice(0, message.length)).toBe(message);
});

test.each([
  ...["size=1&size=big", "Name=drill", "name=%ff", "batch={0190a0a0-1111-7000-8000-000000000000}"],
  ...["weight=1e999", "pageSize=010", "sort=name,", "sort=name,-name", "sort=name%20", "sort=Name"],
])("?%s is 400 and names the parameter", async (search) => {
  const [name = ""] = search.split("=");
  expectFields(await service.send("GET", `${WIDGETS}?${search}`), name);
});

test("the query of a request that lists nothing is nobody's business", async () => {
  const made = await own.send("POST", `${WIDGETS}?foo=1`, { body: { name: "drill" } });
  expect(made.status).toBe(201);
});
