import fc from "fast-check";
import type { JsonObject } from "./client.js";
import type { Query } from "./query-model.js";
import { WIDGETS } from "./samples.js";
import { startService, type TestService } from "./service.js";

// Few values, so that many entities share them: ties, repeats and empty pages all come up.

const NAMES = [
  "a",
  "A",
  "ä",
  "Z",
  "z",
  "zz",
  " z",
  "％",
  "😀",
  "ﬀ",
  "100%",
  "a_b",
  "a'b",
  "a&b=c",
  "1",
];
const SIZES = [0, 1, 2, 10, 999_999];
const WEIGHTS = [-2.5, -1, 0, 0.1, 3, 1e21];
const PRICES = ["-0.05", "0.00", "9.00", "10.50", "100.00"];
const DATES = ["1999-12-31T23:59:59.999Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z"];
const BATCHES = ["0190a0a0-1111-7000-8000-000000000000", "ffffffff-1111-4000-8000-000000000000"];
const TAGS = ["red", "Red", "blue", "1", "%", "[]"];
const STATES = ["NY", "ny", "Ñ", "null"];
const FLOORS = [-1, 0, 7];
const STATUSES = ["draft", "open", "closed"];

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 2 });
const place = fc.record({ floor: maybe(FLOORS) });
const address = fc.record({ state: maybe(STATES), place: fc.option(place) });

/** Any widget, of values that many share. */
export const bodies: fc.Arbitrary<JsonObject> = fc.record({
  name: fc.constantFrom(...NAMES),
  size: maybe(SIZES),
  weight: maybe(WEIGHTS),
  price: maybe(PRICES),
  active: maybe([true, false]),
  status: maybe(STATUSES),
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  startDate: maybe(DATES),
  batch: maybe(BATCHES),
  deliveryAddress: fc.option(address),
});

/** Every property that can be filtered by, with values that some widgets have and some that none has. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  name: [...NAMES, "none", "%", "A_B"],
  size: [...SIZES, 5].map(String),
  weight: ["-2.5", "-1", "0", "0.1", "3", "1e21", "7"],
  price: [...PRICES, "1.00"],
  active: ["true", "false"],
  status: STATUSES,
  tags: [...TAGS, "none"],
  startDate: DATES,
  batch: BATCHES,
  "deliveryAddress.state": [...STATES, "none"],
  "deliveryAddress.place.floor": [...FLOORS, 5].map(String),
};

const SORTS = [
  ...["name", "size", "weight", "price", "status", "startDate", "deliveryAddress.state"],
  ...["createdDate", "lastModifiedDate"],
];

const filter = fc.constantFrom(...Object.keys(FILTERS)).chain((path) =>
  fc.tuple(
    fc.constant(path),
    // A name is never null.
    fc.constantFrom(...(FILTERS[path] ?? []), ...(path === "name" ? [] : [""])),
  ),
);
const sortKey = fc
  .tuple(fc.constantFrom("", "-"), fc.constantFrom(...SORTS))
  .map(([sign, path]) => ({ sign, path }));
const sort = fc
  .uniqueArray(sortKey, { maxLength: 4, selector: ({ path }) => path })
  .map((keys) => keys.map(({ sign, path }) => sign + path));

/** Filters of every kind, also several times the same property. */
const filters = fc.array(filter, { maxLength: 4 });

/** Any query that the widgets' collection accepts. */
export const queries: fc.Arbitrary<Query> = fc.record({ filters, sort });

/** A service that has some widgets, the same in every run, and all of them as they were answered. */
export async function startWithWidgets(
  count: number,
): Promise<{ service: TestService; widgets: readonly JsonObject[] }> {
  let ticks = 0;
  // Every three creates share a moment.
  const clock = () => Date.UTC(2026, 0, 1) + Math.floor(ticks++ / 3);
  const service = await startService("contract", { clock });
  const widgets: JsonObject[] = [];
  for (const body of fc.sample(bodies, { numRuns: count, seed: 7 })) {
    widgets.push(await service.create(WIDGETS, body));
  }
  return { service, widgets };
}
