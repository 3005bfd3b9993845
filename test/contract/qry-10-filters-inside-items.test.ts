import fc from "fast-check";
import { expect, test } from "vitest";
import type { Context } from "#runtime/entity/hooks";
import type { EntityService } from "#runtime/entity/entity-service";
import type { Json, JsonObject } from "./support/client.js";
import { customCode, type Values } from "./support/custom-code.js";
import { at, expectFields, resultsOf } from "./support/errors.js";
import { LOGS, pathOf } from "./support/samples.js";
import { startService } from "./support/service.js";

type Services = Readonly<Record<"baskets", EntityService<never, Values, Values, Values>>>;

const BASKETS = "/api/v1/baskets";
const DEPOTS = "/api/v1/depots";
const service = await startService();
const depots = [
  await service.create(DEPOTS, { name: "Harbour" }),
  await service.create(DEPOTS, { name: "Ferry" }),
].map((depot) => String(depot["depotId"]));
const [harbour = "", ferry = ""] = depots;

/** The names of those that a list has, whose count has to be right. */
async function names(search: string, path = BASKETS): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const page = await service.read(`${path}?pageSize=50&pageNumber=${pageNumber}&${search}`);
    const results = resultsOf(page);
    all.push(...results.map((one) => one["name"]));
    expect(page["itemCount"]).toBeGreaterThanOrEqual(all.length);
    if (results.length === 50) continue;
    expect(page["itemCount"]).toBe(all.length);
    return all;
  }
}

const line = (values: JsonObject): JsonObject => values;

await service.create(BASKETS, {
  name: "one",
  lines: [
    line({ depot: { depotId: harbour }, quantity: 9, price: "2.50", colour: "red" }),
    line({ depot: { depotId: ferry }, quantity: 2, note: "it's", fragile: true }),
  ],
});
await service.create(BASKETS, {
  name: "two",
  lines: [line({ depot: { depotId: ferry }, quantity: 9, fragile: true, size: { width: 4 } })],
  delivery: { stops: [{ door: "A" }, { door: null }] },
});
await service.create(BASKETS, { name: "three", delivery: {} });

test.each([
  ["lines.quantity=9", ["one", "two"]],
  ["lines.quantity=9&lines.quantity=2", ["one", "two"]],
  [`lines.depot.depotId=${ferry}&lines.quantity.atLeast=5`, ["two"]],
  [`lines.depot.depotId=${harbour}&lines.quantity.atLeast=5&lines.colour=red`, ["one"]],
  [`lines.depot.depotId=${harbour}&lines.fragile=true`, []],
  ["lines.price.moreThan=2.49&lines.price.lessThan=2.51", ["one"]],
  ["lines.note=", ["one", "two"]],
  ["lines.note=&lines.fragile=true", ["two"]],
  ["lines.note=it%27s", ["one"]],
  ["lines.size.width=4", ["two"]],
  ["delivery.stops.door=A", ["two"]],
  ["delivery.stops.door=", ["two"]],
  ["delivery.stops.door=A&lines.quantity=9", ["two"]],
  ["lines.quantity=9&sort=-name", ["two", "one"]],
  ["lines.quantity=9&name=one", ["one"]],
])("?%s", async (search, wanted) => {
  expect(await names(search)).toEqual(wanted);
});

test.each([
  "lines=1",
  "lines.codes=a",
  "lines.quantity=x",
  "lines.colour.atLeast=red",
  "lines.quantity.atLeast=",
])("?%s is refused", async (search) => {
  expectFields(await service.send("GET", `${BASKETS}?${search}`), search.split("=")[0] ?? "");
});

test("what is found follows each change, and the end of an entity", async () => {
  const made = await service.create(BASKETS, { name: "four", lines: [{ quantity: 77 }] });
  const path = pathOf(BASKETS, made);
  expect(await names("lines.quantity=77")).toEqual(["four"]);
  await service.send("PATCH", path, { body: { lines: [{ quantity: 78 }, { quantity: 79 }] } });
  expect(await names("lines.quantity=77")).toEqual([]);
  expect(await names("lines.quantity=79")).toEqual(["four"]);
  await service.send("PATCH", path, { body: { lines: [{ quantity: 78 }] } });
  expect(await names("lines.quantity=79")).toEqual([]);
  await service.send("DELETE", path);
  expect(await names("lines.quantity=78")).toEqual([]);
});

test("an alias and a request each ask for an item of their own", async () => {
  await service.create(BASKETS, {
    name: "mixed",
    lines: [
      { fragile: true, quantity: 5, colour: "blue" },
      { fragile: false, quantity: 1, colour: "red" },
    ],
  });
  await service.create(BASKETS, {
    name: "apart",
    lines: [
      { fragile: true, quantity: 4, colour: "blue" },
      { fragile: true, quantity: 5, colour: "red" },
    ],
  });
  expect(await names("", `${BASKETS}/fragile`)).toEqual(["mixed", "two"]);
  expect(await names("lines.colour=red", `${BASKETS}/fragile`)).toEqual(["mixed"]);
  expect(await names("lines.colour=red&lines.quantity=5", `${BASKETS}/fragile`)).toEqual([]);
  await service.create(BASKETS, { name: "noted", lines: [{ quantity: 3, note: "odd" }] });
  expect(await names("sort=name", `${BASKETS}/odd`)).toEqual(["mixed", "noted"]);
});

test("own code asks for one item, and for each alternative's own", async () => {
  const found: unknown[] = [];
  const logs = await customCode("logs");
  logs.beforeCreate = async (_, context) => {
    const { baskets } = (context as Context<unknown, Services>).services;
    const wanted = [
      { "lines.depot.depotId": ferry, "lines.quantity": { atLeast: 5 } },
      { any: [{ "lines.quantity": 2 }, { "lines.size.width": 4 }] },
      { "lines.depot.depotId": { not: ferry }, "lines.colour": "red", name: ["one", "two"] },
      { "lines.quantity": 9, any: [{ "lines.quantity": 2 }] },
    ];
    for (const where of wanted) {
      const { results, itemCount } = await baskets.list({ where, sort: ["name"] } as never);
      found.push([itemCount, ...results.map((one: Values) => one["name"])]);
    }
  };
  expect((await service.send("POST", LOGS, { body: { line: "one" } })).status).toBe(201);
  expect(found).toEqual([
    [1, "two"],
    [2, "one", "two"],
    [1, "one"],
    [1, "one"],
  ]);
});

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 4 });
const items = fc.array(
  fc.record({
    depot: maybe({ depotId: harbour }, { depotId: ferry }),
    quantity: maybe(0, 1, 2, 9_000_000_000),
    price: maybe("-0.05", "0.00", "10.50"),
    colour: maybe("red", "green"),
    note: maybe("a", "A", "a'b", "null", "%"),
    fragile: maybe(true, false),
    dueDate: maybe("1999-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z"),
    weight: maybe(-2.5, 0.1, 1e21),
    size: fc.option(fc.record({ width: maybe(1, 2) })),
  }),
  { maxLength: 4 },
);
const value = (path: string, ...texts: readonly string[]) =>
  fc.constantFrom(...texts).map((text) => [`lines.${path}`, text] as const);
const asked = fc.uniqueArray(
  fc.oneof(
    value("depot.depotId", harbour, ferry, ""),
    value("quantity", "0", "1", "9000000000", ""),
    value("quantity.atLeast", "1", "2"),
    value("quantity.lessThan", "2"),
    value("price", "10.5", "-0.05"),
    value("price.moreThan", "-0.05", "0"),
    value("colour", "red", "blue", ""),
    value("note", "a", "a'b", "null", ""),
    value("fragile", "true", "false", ""),
    value("dueDate.atMost", "2000-01-01T00:00:00.000Z"),
    value("weight", "0.1", "-2.5"),
    value("size.width", "1", ""),
  ),
  { minLength: 1, maxLength: 3, selector: ([name]) => name },
);

const BOUNDS: Readonly<Record<string, (order: number) => boolean>> = {
  atLeast: (order) => order >= 0,
  moreThan: (order) => order > 0,
  atMost: (order) => order <= 0,
  lessThan: (order) => order < 0,
};

/** QRY-10, without SQL: whether an item passes a parameter. */
function passes(item: JsonObject, [name, text]: readonly [string, string]): boolean {
  const [, path = "", bound = ""] =
    /^lines\.(.*?)(?:\.(atLeast|moreThan|atMost|lessThan))?$/.exec(name) ?? [];
  const found: Json = at(item, path) ?? null;
  if (text === "" || found === null) return text === "" && found === null;
  const order = /^-?[0-9.e]+$/.test(text)
    ? Number(found) - Number(text)
    : compared(String(found), text);
  return bound === "" ? order === 0 : BOUNDS[bound]?.(order) === true;
}

function compared(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

test("any filters find what a look at each item finds", async () => {
  const made: JsonObject[] = [];
  const filled = fc.sample(items, 60);
  for (const [index, lines] of filled.entries()) {
    const name = `any ${String(index).padStart(2, "0")}`;
    made.push(await service.create(BASKETS, { name, lines }));
  }
  await fc.assert(
    fc.asyncProperty(asked, async (filters) => {
      const search = new URLSearchParams(
        filters.map(([name, text]): [string, string] => [name, text]),
      );
      const wanted = made
        .filter((one) =>
          (one["lines"] as JsonObject[]).some((item) =>
            filters.every((filter) => passes(item, filter)),
          ),
        )
        .map((one) => one["name"]);
      const found = (await names(`${search.toString()}&sort=name`)).filter((name) =>
        String(name).startsWith("any "),
      );
      expect(found).toEqual(wanted);
    }),
    { numRuns: 150 },
  );
});
