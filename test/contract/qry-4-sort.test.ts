import fc from "fast-check";
import { expect, test } from "vitest";
import { at, resultsOf } from "./support/errors.js";
import { answerOf, searchOf } from "./support/query-model.js";
import { queries, startWithWidgets } from "./support/query-widgets.js";
import { BADGES, LOGS, newBadge, pathOf, WIDGETS } from "./support/samples.js";
import { startService } from "./support/service.js";

let now = Date.UTC(2026, 0, 1);
const service = await startService("contract", { clock: () => now });

/** Three widgets, none of which is made in the order that any property would give. */
const WIDGET_BODIES = [
  { name: "b", size: 10, price: "9.00", status: "open", deliveryAddress: { state: "B" } },
  { name: "a", size: 9, price: "10.00", status: "closed", deliveryAddress: { state: "C" } },
  { name: "c", size: null, price: null, status: null },
  { name: "d", size: 9, price: "-1.00", status: "draft", deliveryAddress: { state: "A" } },
];
for (const body of WIDGET_BODIES) {
  now += 1000;
  await service.create(WIDGETS, body);
}

const names = async (sort: string) =>
  resultsOf(await service.read(`${WIDGETS}?sort=${sort}`))
    .map(({ name }) => name)
    .join("");

test.each([
  ["name", "abcd"],
  ["-name", "dcba"],
  ["size", "adbc"],
  ["-size", "badc"],
  ["size,-name", "dabc"],
  ["-size,-name", "bdac"],
  ["price", "dbac"],
  ["-price", "abdc"],
  ["status", "adbc"],
  ["-status", "bdac"],
  ["deliveryAddress.state", "dbac"],
  ["-deliveryAddress.state", "abdc"],
  ["createdDate", "bacd"],
  ["-createdDate", "dcab"],
  ["lastModifiedDate", "bacd"],
  ["size,createdDate", "adbc"],
  ["size,-createdDate", "dabc"],
])("sort=%s gives %s: first takes precedence, nulls are last", async (sort, wanted) => {
  expect(await names(sort)).toBe(wanted);
});

test("lastModifiedDate follows a change", async () => {
  now += 1000;
  const path = pathOf(WIDGETS, resultsOf(await service.read(`${WIDGETS}?name=a`))[0] ?? {});
  await service.send("PATCH", path, { body: { note: "changed" } });
  expect(await names("-lastModifiedDate")).toBe("adcb");
  expect(await names("-createdDate")).toBe("dcab");
});

test("texts are sorted by code point: capitals first, no language, no UTF-16", async () => {
  const own = await startService();
  const sorted = ["A", "B", "Z", "a", "b", "z", "ß", "ä", "ﬀ", "～", "😀"];
  for (const name of ["～", "b", "😀", "Z", "ä", "A", "z", "ß", "a", "ﬀ", "B"]) {
    await own.create(WIDGETS, { name });
  }
  const list = resultsOf(await own.read(`${WIDGETS}?sort=name`));
  expect(list.map(({ name }) => name)).toEqual(sorted);
});

test("what ties, and what is not sorted, is in the order of the identifiers, ascending also under -", async () => {
  const ids = [
    "cccccccc-0000-4000-8000-000000000000",
    "aaaaaaaa-0000-4000-8000-000000000000",
    "bbbbbbbb-0000-4000-8000-000000000000",
  ];
  const given = [...ids];
  const own = await startService("contract", { newIdentifier: () => given.shift() ?? "" });
  for (const name of ["x", "x", "x"]) await own.create(WIDGETS, { name });
  for (const search of ["", "sort=name", "sort=-name", "sort=-size", "sort=-status,size"]) {
    const list = resultsOf(await own.read(`${WIDGETS}?${search}`));
    expect(list.map(({ widgetId }) => widgetId)).toEqual([...ids].sort());
  }
});

test("createdDate and lastModifiedDate are sortable where nothing is declared to be", async () => {
  for (const serial of ["1", "2"]) {
    now += 1000;
    await service.create(BADGES, newBadge(serial));
  }
  for (const name of ["createdDate", "lastModifiedDate"]) {
    const list = resultsOf(await service.read(`${BADGES}?sort=-${name}`));
    expect(list.map(({ serial }) => serial)).toEqual(["2", "1"]);
  }
  expect(resultsOf(await service.read(`${LOGS}?sort=-createdDate,line`))).toEqual([]);
});

const many = await startWithWidgets(80);

test("any query is sorted as a model in memory sorts it", async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const search = searchOf(query, { pageSize: "100" });
      const results = resultsOf(await many.service.read(`${WIDGETS}?${search}`));
      expect(results.map(({ widgetId }) => widgetId)).toEqual(
        answerOf(many.widgets, query).map((widget) => at(widget, "widgetId")),
      );
    }),
    { numRuns: 500 },
  );
});
