import { expect, test } from "vitest";
import { identity, storedNameOf, storedPathOf } from "../../../src/model/projection.js";
import { propertyOf } from "./model-of.js";

const PROJECTION = [
  { property: "step", storedPath: "status", instead: [] },
  { property: "place", storedPath: "address.place", instead: [] },
  { property: "title", storedPath: "title", instead: [] },
];

test.each([
  { path: "step", stored: "status", name: "status" },
  { path: "title", stored: "title", name: "title" },
  { path: "place", stored: "address.place", name: "place" },
  { path: "place.city", stored: "address.place.city", name: "city" },
  { path: "createdDate", stored: "createdDate", name: "createdDate" },
  { path: "createdSubject.subjectId", stored: "createdSubject.subjectId", name: "subjectId" },
])("$path is stored at $stored", ({ path, stored, name }) => {
  expect(storedPathOf(path, PROJECTION)).toBe(stored);
  expect(storedNameOf(path, PROJECTION)).toBe(name);
});

test("what keeps its own names is shown under them", async () => {
  const property = await propertyOf("title: string", "title");
  expect(identity([property])).toEqual([{ property: "title", storedPath: "title", instead: [] }]);
});
