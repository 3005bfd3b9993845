import { expect, test } from "vitest";
import { OwnCodeFault } from "#runtime/base/custom-code";
import { listQueryOf } from "#runtime/entity/entity-service";
import { textFilter } from "#runtime/query/filters";

const TABLE: Parameters<typeof listQueryOf>[1] = {
  name: "notes",
  idProperty: "noteId",
  columns: { title: { expression: "title", filter: textFilter() } },
};
/** What own code asks for when its types are not looked at. */
const asked = (where: object): unknown => listQueryOf({ where } as never, TABLE);
const NOTES = TABLE;

test("own code is given the first 20 where it asks for no page", () => {
  expect(listQueryOf({}, NOTES)).toMatchObject({ pageNumber: 1, pageSize: 20 });
});

test.each([0, -1, 1.5, NaN, Infinity])(
  "a page of %d entities, or of that number, is none",
  (value) => {
    for (const name of ["pageNumber", "pageSize"]) {
      const ask = (): unknown => listQueryOf({ [name]: value }, NOTES);
      expect(ask).toThrow(OwnCodeFault);
      expect(ask).toThrow(`${name} must be a whole number of at least 1, and is ${value}`);
    }
  },
);

test.each([
  [{ titel: "a" }, "titel cannot be compared"],
  [{ constructor: "a" }, "constructor cannot be compared"],
  [{ title: undefined }, "title is compared with undefined"],
  [{ title: { not: undefined } }, "title is compared with undefined"],
  [{ title: {} }, "title is compared with undefined"],
  [{ title: { contain: "abc" } }, "title is compared with undefined, or in no way that is known"],
  [{ title: { not: ["a", undefined] } }, "title is compared with undefined"],
  [{ title: ["a", undefined] }, "title is compared with undefined"],
  [{ any: [{ title: "a" }, { titel: "b" }] }, "titel cannot be compared"],
  [{ noteId: "a" }, "noteId must be"],
  [{ title: { contains: "abc" } }, "title is not searched"],
])("a list by %j is refused", (where, message) => {
  expect(() => asked(where)).toThrow(OwnCodeFault);
  expect(() => asked(where)).toThrow(message);
});

test("alternatives are told from a property of that name", () => {
  expect(asked({ any: [] })).toMatchObject({ filters: [{ any: [] }] });
  const columns = { any: { expression: "any", filter: textFilter() } };
  const table = { ...TABLE, columns };
  const of = (any: unknown): unknown => listQueryOf({ where: { any } } as never, table);
  expect(of(["a"])).toMatchObject({ filters: [{ path: "any", values: ["a"] }] });
  expect(of([{ any: "a" }])).toMatchObject({ filters: [{ any: [[{ path: "any" }]] }] });
});
