import { expect, test } from "vitest";
import {
  contains,
  decimalFilter,
  enumFilter,
  integerFilter,
  textFilter,
} from "#runtime/query/filters";
import { whereFilters, type PathFilters, type Where } from "#runtime/query/where";

type Paths = { state: "open" | "closed"; size: number; price: string; tags: string[] };

const PATHS: PathFilters<Paths> = {
  state: enumFilter(["open", "closed"]),
  size: integerFilter(),
  price: decimalFilter(2),
  tags: contains(textFilter()),
};

const ME = "3f0d6c1e-0000-4000-8000-000000000001";
const told: string[] = [];
const filters = (where: Where<Paths>) =>
  whereFilters(where, PATHS, ME, (fault) => void told.push(fault));
const one = (path: string, values: readonly unknown[], more = {}) => ({
  path,
  values,
  contains: false,
  orNull: false,
  comparison: "anyOf",
  ...more,
});

test.each<{ name: string; where: Where<Paths>; want: readonly unknown[] }>([
  { name: "nothing asks nothing", where: {}, want: [] },
  { name: "a value", where: { state: "open" }, want: [one("state", ["open"])] },
  { name: "null", where: { state: null }, want: [one("state", [], { orNull: true })] },
  {
    name: "any of several, null among them",
    where: { state: ["open", null] },
    want: [one("state", ["open"], { orNull: true })],
  },
  { name: "none of no values", where: { state: [] }, want: [one("state", [])] },
  { name: "a decimal in its one form", where: { price: "12.5" }, want: [one("price", ["12.50"])] },
  {
    name: "comparisons that all hold",
    where: { size: { atLeast: 3, lessThan: 5 } },
    want: [
      one("size", [3], { comparison: "atLeast" }),
      one("size", [5], { comparison: "lessThan" }),
    ],
  },
  {
    name: "what an array contains",
    where: { tags: ["red", "blue"] },
    want: [one("tags", ["red", "blue"], { contains: true })],
  },
  {
    name: "what the caller has created",
    where: { createdSubject: "mine" },
    want: [{ path: "createdSubject.subjectId", contains: false, values: [ME], orNull: false }],
  },
  {
    name: "alternatives, one of which asks nothing",
    where: { any: [{ state: "open", size: 1 }, {}] },
    want: [{ any: [[one("state", ["open"]), one("size", [1])], []] }],
  },
])("$name", ({ where, want }) => {
  expect(filters(where)).toEqual(want);
});

// What the compiler would refuse, and own code without types can say all the same.
test.each<{ name: string; where: object; message: string }>([
  { name: "a path that is not there", where: { colour: "red" }, message: 'with "colour"' },
  { name: "a name of every object", where: { constructor: 1 }, message: 'with "constructor"' },
  { name: "another comparison", where: { size: { above: 1 } }, message: '"above"' },
  { name: "the size of a list", where: { tags: { atLeast: "a" } }, message: "by size" },
  { name: "a size of null", where: { size: { atLeast: null } }, message: "by size" },
  { name: "undefined", where: { state: undefined }, message: '"state" is compared with undefined' },
  { name: "a bound of undefined", where: { size: { atLeast: undefined } }, message: "undefined" },
  { name: "nobody's object", where: { createdSubject: undefined }, message: "undefined" },
  { name: "a date", where: { state: new Date() }, message: "with an object" },
  { name: "a promise", where: Promise.resolve({ state: "open" }), message: "must be an object" },
  { name: "a list", where: [{ state: "open" }], message: "must be an object" },
  { name: "an alternative that is none", where: { any: [null] }, message: "must be an object" },
])("$name is an error, and no filter that finds nothing", ({ where, message }) => {
  expect(() => filters(where as Where<Paths>)).toThrow(message);
});

test.each<{ name: string; where: object; want: object }>([
  { name: "a value of another kind", where: { size: "large" }, want: one("size", []) },
  { name: "one beside another", where: { size: [1, "large"] }, want: one("size", [1]) },
  { name: "none of it", where: { size: { not: [1, "large"] } }, want: one("size", []) },
  { name: "a bound", where: { size: { lessThan: "large" } }, want: one("size", []) },
])("$name that the property cannot hold matches nothing, and is told", ({ where, want }) => {
  told.length = 0;
  expect(filters(where as Where<Paths>)).toEqual([want]);
  expect(told).toEqual(['"size" must be a whole number.']);
});
