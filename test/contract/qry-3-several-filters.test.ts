import fc from "fast-check";
import { expect, test } from "vitest";
import { resultsOf } from "./support/errors.js";
import { answerOf, searchOf } from "./support/query-model.js";
import { filters, startWithWidgets } from "./support/query-widgets.js";
import { WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

const service = await startService();
const make = async (name: string, more = {}) => service.create(WIDGETS, { name, ...more });
const red = await make("red", { tags: ["red"], size: 1, active: true });
const both = await make("both", { tags: ["red", "blue"], size: 2, active: true });
const none = await make("none", { status: null });

const find = async (search: string) => resultsOf(await service.read(`${WIDGETS}?${search}`));

test("several filters must all hold", async () => {
  expect(await find("active=true&size=2")).toEqual([both]);
  expect(await find("active=true&size=2&name=red")).toEqual([]);
});

test("a parameter that is repeated matches any of its values, in any order and however often", async () => {
  expect(await find("size=1&size=2")).toEqual([red, both]);
  expect(await find("size=2&active=true&size=1&size=2")).toEqual([red, both]);
  expect(await find("name=none&name=red&active=true")).toEqual([red]);
});

test("an array matches when it contains the value", async () => {
  expect(await find("tags=red")).toEqual([red, both]);
  expect(await find("tags=blue")).toEqual([both]);
  expect(await find("tags=blue&tags=red")).toEqual([red, both]);
});

test("an empty value matches null, and nothing else does", async () => {
  expect(await find("size=")).toEqual([none]);
  expect(await find("status=")).toEqual([none]);
  expect(await find("size")).toEqual([none]);
  expect(await find("status=draft")).toEqual([red, both]);
});

test("an empty value on an array matches []", async () => {
  expect(await find("tags=")).toEqual([none]);
  expect(await find("tags=&tags=blue")).toEqual([both, none]);
});

test("an empty value beside others matches null as well", async () => {
  expect(await find("size=&size=2")).toEqual([both, none]);
});

test("an empty value of a property that is never null finds nothing", async () => {
  expect(await find("name=")).toEqual([]);
});

test("empty parts of a query string mean nothing", async () => {
  expect(await find("&&size=2&")).toEqual([both]);
  expect(await find("")).toEqual([red, both, none]);
});

const many = await startWithWidgets(80);

test("any filters find what a model in memory finds, and count it", async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (given) => {
      const query = { filters: given, sort: [] };
      const wanted = answerOf(many.widgets, query);
      const search = searchOf(query, { pageSize: "100" });
      const body = await many.service.read(`${WIDGETS}?${search}`);
      expect(resultsOf(body)).toEqual(wanted);
      expect(body["itemCount"]).toBe(wanted.length);
    }),
    { numRuns: 500 },
  );
});
