import { expect, test } from "vitest";
import { OwnCodeFault } from "#runtime/base/own-code-fault";
import { listQueryOf } from "#runtime/entity/service-query";

const NOTES = { name: "notes", columns: {} };

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
