import { expect, test } from "vitest";
import {
  harmfulChanges,
  storageDifferences,
  storageFingerprint,
} from "#runtime/store/storage-model";
import { ordersStorage, type Yaml } from "./support.js";

const PRICE = { price: { type: "decimal", scale: 2 } };

test.each<{ name: string; before: Yaml; after: Yaml; want: readonly string[] }>([
  {
    name: "another scale",
    before: PRICE,
    after: { price: { type: "decimal", scale: 3 } },
    want: ["orders.price: scale 2 -> 3"],
  },
  {
    name: "another kind",
    before: { price: "integer" },
    after: PRICE,
    want: ["orders.price: integer -> decimal"],
  },
  {
    name: "another kind of text",
    before: { p: "string" },
    after: { p: "timestamp" },
    want: ["orders.p: string -> timestamp"],
  },
  {
    name: "a value less",
    before: { p: { enum: ["open", "closed"] } },
    after: { p: { enum: ["open"] } },
    want: ["orders.p: value closed is gone"],
  },
  {
    name: "another name",
    before: { p: "string" },
    after: { q: "string" },
    want: ["orders.q: is new", "orders.p: is gone"],
  },
  {
    name: "a property that is required now",
    before: { p: "string" },
    after: { p: { type: "string", required: true } },
    want: ["orders.p: may be null -> is never null"],
  },
  {
    name: "a leaf of an object",
    before: { p: { type: "object", properties: { price: { type: "decimal", scale: 2 } } } },
    after: { p: { type: "object", properties: { price: { type: "decimal", scale: 0 } } } },
    want: ["orders.p.price: scale 2 -> 0"],
  },
  {
    name: "the items of a list",
    before: { labels: { type: "array", items: "integer" } },
    after: { labels: { type: "array", items: "string" } },
    want: ["orders.labels[]: integer -> string"],
  },
  {
    name: "an index",
    before: { p: "integer" },
    after: { p: { type: "integer", filterable: true } },
    want: ["index orders_p_index: is new"],
  },
  {
    name: "an index that is unique now",
    before: { p: { type: "uuid", filterable: true } },
    after: { p: { type: "uuid", unique: true } },
    want: ["index orders_p_index: has changed"],
  },
  {
    name: "where a reference leads",
    before: { p: { reference: "customers", filterable: true } },
    after: { p: { reference: "orders", filterable: true } },
    want: [
      "foreign key orders_p_reference: has changed",
      "index orders_p_orderId_index: is new",
      "index orders_p_customerId_index: is gone",
    ],
  },
  {
    name: "a table",
    before: { labels: { type: "array", items: { reference: "customers" } } },
    after: {},
    want: [
      "orders.labels: is gone",
      "index orders_labels_customerId_index: is gone",
      "orders_labels: is gone",
    ],
  },
])("$name is told", async ({ before, after, want }) => {
  const given = { note: "string", ...before };
  const edited = { note: "string", ...after };
  const found = storageDifferences(await ordersStorage(given), await ordersStorage(edited));
  expect(harmfulChanges(found)).toEqual(want);
});

test.each<{ name: string; before: Yaml; after: Yaml; keywords?: Yaml }>([
  {
    name: "a value more",
    before: { p: { enum: ["open"] } },
    after: { p: { enum: ["closed", "open"] } },
  },
  {
    name: "another bound",
    before: { p: "integer" },
    after: { p: { type: "integer", minimum: 1 } },
  },
])("$name is another storage that reads the same", async ({ before, after }) => {
  const [old, now] = [await ordersStorage(before), await ordersStorage(after)];
  expect(storageFingerprint(now)).not.toBe(storageFingerprint(old));
  expect(harmfulChanges(storageDifferences(old, now))).toEqual([]);
});

test.each<{ name: string; after: Yaml; keywords?: Yaml }>([
  { name: "a description", after: { ...PRICE, note: { type: "string", description: "A note." } } },
  { name: "another order", after: { note: "string", ...PRICE } },
  {
    name: "access",
    after: { ...PRICE, note: "string" },
    keywords: { operations: ["list", "create"] },
  },
  { name: "paging", after: { ...PRICE, note: "string" }, keywords: { paging: { defaultSize: 5 } } },
])("$name is not stored: the fingerprint stays", async ({ after, keywords }) => {
  const before = await ordersStorage({ ...PRICE, note: "string" });
  expect(storageFingerprint(await ordersStorage(after, keywords))).toBe(storageFingerprint(before));
});

test("a model of another format is told as such", async () => {
  const before = await ordersStorage(PRICE);
  // What a later release may write.
  const after = { ...before, format: 2 } as unknown as typeof before;
  expect(harmfulChanges(storageDifferences(before, after))).toEqual(["storage: format 1 -> 2"]);
});

test("a detail that only one release knows of is told", async () => {
  const before = await ordersStorage(PRICE);
  const text = JSON.stringify(before).replace('"scale":2', '"scale":2,"rounding":"up"');
  // What a later release may write.
  const after = JSON.parse(text) as typeof before;
  expect(harmfulChanges(storageDifferences(before, after))).toEqual([
    "orders.price: rounding unknown -> up",
  ]);
  expect(harmfulChanges(storageDifferences(after, before))).toEqual([
    "orders.price: rounding up -> unknown",
  ]);
});
