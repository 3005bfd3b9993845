import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "./support/client.js";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { startService } from "./support/service.js";

const PALLETS = "/api/v1/pallets";
const service = await startService();

const depot = await service.create("/api/v1/depots", { name: "north", fee: "10.50" });
const other = await service.create("/api/v1/depots", { name: "south", fee: "-3.00" });
const refer = ({ depotId }: JsonObject) => ({ depotId: depotId ?? null });

const a = await service.create(PALLETS, {
  ...{ title: "a", bay: -3, weight: 0.5, price: "-9.99", bestBefore: "2024-02-29" },
  packedDate: "2026-03-10T12:00:00.000Z",
  depot: refer(depot),
  measures: { height: 9, value: "9.00", ratio: 1e-7, checkedDate: "2026-01-01T00:00:00.000Z" },
});
const b = await service.create(PALLETS, {
  ...{ title: "b", bay: 0, weight: -0.5, price: "10.00", bestBefore: "2024-03-01" },
  packedDate: "2026-03-10T12:00:00.001Z",
  depot: refer(other),
  measures: { height: 10, value: "10.00", ratio: 1e21, checkedDate: "0099-12-31T23:59:59.999Z" },
});
const c = await service.create(PALLETS, {
  ...{ title: "c", bay: 9007199254740991, weight: 1e300, price: "9.99", bestBefore: "9999-12-31" },
  packedDate: "9999-12-31T23:59:59.999Z",
  measures: { height: -1, day: "2026-02-28" },
});
const empty = await service.create(PALLETS, { title: "d" });

async function titles(search: string): Promise<string> {
  const page = await service.read(`${PALLETS}?sort=title&${search}`);
  return resultsOf(page)
    .map(({ title }) => String(title))
    .join("");
}

test.each([
  { search: "bay.atLeast=0", want: "bc" },
  { search: "bay.moreThan=0", want: "c" },
  { search: "bay.atMost=0", want: "ab" },
  { search: "bay.lessThan=0", want: "a" },
  { search: "bay.atLeast=-3&bay.lessThan=9007199254740991", want: "ab" },
  { search: "bay.moreThan=0&bay.lessThan=0", want: "" },
  { search: "bay.atLeast=0&bay.atMost=0", want: "b" },
  { search: "bay=0&bay.moreThan=-3", want: "b" },
  { search: "weight.moreThan=0", want: "ac" },
  { search: "weight.atMost=5e-1", want: "ab" },
  { search: "price.atLeast=9.99", want: "bc" },
  { search: "price.moreThan=9.99", want: "b" },
  { search: "price.lessThan=10", want: "ac" },
  { search: "price.atMost=-9.9", want: "a" },
  { search: "packedDate.atLeast=2026-03-10T12:00:00.001Z", want: "bc" },
  { search: "packedDate.lessThan=2026-03-10T12:00:00.001Z", want: "a" },
  { search: "bestBefore.moreThan=2024-02-29", want: "bc" },
  { search: "bestBefore.atMost=2024-02-29", want: "a" },
  { search: "measures.height.atLeast=9", want: "ab" },
  { search: "measures.value.lessThan=10.00", want: "a" },
  { search: "measures.ratio.moreThan=1", want: "b" },
  { search: "measures.checkedDate.lessThan=2000-01-01T00:00:00.000Z", want: "b" },
  { search: "measures.day.atMost=2026-02-28", want: "c" },
  { search: "depot.fee.moreThan=-3", want: "a" },
  { search: "depot.fee.atMost=10.5", want: "ab" },
])("?$search finds $want: null is within no bound", async ({ search, want }) => {
  expect(await titles(search)).toBe(want);
});

test("bounds go with other filters, a sort and pages, and are counted", async () => {
  expect(await titles("bay.atLeast=-3&status=stored&price.lessThan=10")).toBe("ac");
  const page = await service.read(`${PALLETS}?bay.atLeast=-3&sort=-bay&pageSize=1&pageNumber=2`);
  expect(page).toMatchObject({ itemCount: 3, pageCount: 3, results: [{ title: "b" }] });
});

test("an equality beside a bound keeps its meaning, null included", async () => {
  expect(await titles("bay=")).toBe("d");
  expect(await titles("bay=&bay.atLeast=0")).toBe("");
});

test.each([
  { name: "bay.atLeast", value: "x", says: "must be a whole number" },
  { name: "bay.atLeast", value: "1.5", says: "must be a whole number" },
  { name: "bay.moreThan", value: "9007199254740993", says: "9007199254740991" },
  { name: "weight.lessThan", value: "1,5", says: "must be a number" },
  { name: "price.atMost", value: "1.999", says: "2" },
  {
    name: "packedDate.atLeast",
    value: "2026-02-30T00:00:00.000Z",
    says: "yyyy-MM-ddTHH:mm:ss.SSSZ",
  },
  { name: "packedDate.atLeast", value: "2026-03-10", says: "yyyy-MM-ddTHH:mm:ss.SSSZ" },
  { name: "bestBefore.atLeast", value: "2026-02-30", says: "a real date in the form yyyy-MM-dd" },
  { name: "bestBefore", value: "yesterday", says: "a real date in the form yyyy-MM-dd" },
  { name: "measures.day", value: "2026-2-1", says: "a real date" },
  { name: "contact", value: "nobody", says: "an email address" },
  { name: "bay.atLeast", value: "", says: "must not be empty" },
])("$name=$value is refused, and the message helps", async ({ name, value, says }) => {
  const answer = await service.send("GET", `${PALLETS}?${name}=${encodeURIComponent(value)}`);
  expect(expectFields(answer, name)[name]).toContain(says);
});

test("a bound is given once", async () => {
  const answer = await service.send("GET", `${PALLETS}?bay.atLeast=1&bay.atLeast=2`);
  expect(expectFields(answer, "bay.atLeast")["bay.atLeast"]).toBe("must be given once");
});

test.each([
  ["status.atLeast", 'is not known; "status" is filtered by its values alone'],
  ["bay_gte", 'is not known; did you mean "bay.atLeast"?'],
  ["bay[lt]", 'is not known; did you mean "bay.lessThan"?'],
  ["bay.max", 'is not known; did you mean "bay.atMost"?'],
  ["bay.atleast", 'is not known; did you mean "bay.atLeast"?'],
  ["toString.atLeast", "is not known; filtered are "],
])("%s is not a parameter: %s", async (name, message) => {
  const answer = await service.send("GET", `${PALLETS}?${encodeURIComponent(name)}=1`);
  const said = expectFields(answer, name)[name];
  // The list is that of all filters of the resource.
  expect(said?.slice(0, message.length)).toBe(message);
});

test("every bad parameter is told at once", async () => {
  const search = "bay.atLeast=x&price.atMost=y&bestBefore=z&createdDate.lessThan=now";
  const answer = await service.send("GET", `${PALLETS}?${search}`);
  expectFields(answer, "bay.atLeast", "price.atMost", "bestBefore", "createdDate.lessThan");
});

test("the OpenAPI document has the four bounds of each property that is filtered by them", async () => {
  const document = await service.read("/api/v1/openapi.json");
  const parameters = Object.keys(at(document, "components.parameters") as JsonObject);
  const bounds = ["atLeast", "moreThan", "atMost", "lessThan"];
  for (const path of [
    "bay",
    "price",
    "packedDate",
    "bestBefore",
    "measures.value",
    "createdDate",
  ]) {
    for (const bound of bounds) expect(parameters).toContain(`Pallet.Filter.${path}.${bound}`);
  }
  expect(parameters).not.toContain("Pallet.Filter.status.atLeast");
});

test("random bounds find what a comparison in memory finds", async () => {
  const all = [a, b, c, empty];
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
      const want = all
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
