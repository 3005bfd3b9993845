import { expect, test } from "vitest";
import { missingMemberLog, shapeReader, withUnknownMembers } from "#runtime/store/json-columns";

const SHAPE = { zip: null, tags: [], shelf: { width: null }, lines: [{ price: null }] };

test.each([
  { name: "all that is missing", given: {}, want: { zip: null, tags: [], shelf: null, lines: [] } },
  {
    name: "what is missing deeper, in the order of the shape, without what it does not have",
    given: { lines: [{ old: 1 }], shelf: { old: 1 }, tags: ["a"], zip: "1" },
    want: { zip: "1", tags: ["a"], shelf: { width: null }, lines: [{ price: null }] },
  },
])("$name is read", ({ given, want }) => {
  const read = shapeReader(SHAPE, "address", () => undefined);
  expect(JSON.stringify(read(given))).toBe(JSON.stringify(want));
});

test("a member that is missing is logged by its path, and not again at once", () => {
  const told: string[] = [];
  const due = new Set<string>();
  const log = missingMemberLog("orders", {
    logger: { warn: (text) => told.push(text) },
    warnings: { isDue: (text) => !due.has(text) && due.add(text).has(text) },
  });
  const read = shapeReader(SHAPE, "address", log);
  read({ zip: "1", tags: [], shelf: {}, lines: [] });
  read({ zip: "1", tags: [], shelf: {}, lines: [] });
  expect(told).toEqual([
    "Rows of orders lack address.shelf.width inside their JSON: it is read as null, or as an empty list. " +
      'Fill it by a migration of your own: "generator migration new <name>".',
  ]);
});

test("two items that are equal keep what each had, and an edited one nothing", () => {
  const stored = [
    { price: 1, old: "a" },
    { price: 1, old: "b" },
    { price: 2, old: "c" },
  ];
  const next = [{ price: 1 }, { price: 3 }, { price: 1 }];
  expect(withUnknownMembers(stored, next, [{ price: null }])).toEqual([
    { price: 1, old: "a" },
    { price: 3 },
    { price: 1, old: "b" },
  ]);
});
