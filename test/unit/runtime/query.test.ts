import fc from "fast-check";
import { expect, test } from "vitest";

import {
  booleanFilter,
  decimalFilter,
  enumFilter,
  contains,
  integerFilter,
  textFilter,
} from "#runtime/query/filters";
import { parseListQuery, type CollectionQuery } from "#runtime/query/query";
import { issuesOf } from "./reading.js";

const tickets: CollectionQuery = {
  filters: {
    title: textFilter(),
    status: enumFilter(["open", "pending", "closed"]),
    "deliveryAddress.state": textFilter(),
    tags: contains(textFilter()),
    priority: integerFilter(),
    price: decimalFilter(2),
    active: booleanFilter(),
  },
  sorts: ["title", "status", "priority"],
  paging: { defaultSize: 20, maximumSize: 100 },
  counted: true,
};

const EMPTY = {
  filters: [],
  sort: [],
  pageNumber: 1,
  pageSize: 20,
  defaultSize: 20,
  counted: true,
  token: null,
};

function issues(search: string): string[] {
  return issuesOf(() => parseListQuery(search, tickets)).map((i) => `${i.field} ${i.message}`);
}

test.each(["", "&", "&&"])("%j asks for the first page of everything", (search) => {
  expect(parseListQuery(search, tickets)).toEqual(EMPTY);
});

test("a resource that does not count says so", () => {
  expect(parseListQuery("", { ...tickets, counted: false }).counted).toBe(false);
  expect(parseListQuery("pageSize=1", { ...tickets, counted: false }).counted).toBe(false);
});

test.each([
  { search: "title=a", path: "title", values: ["a"] },
  { search: "title=a+b", path: "title", values: ["a b"] },
  { search: "title=a%20b", path: "title", values: ["a b"] },
  { search: "title=a%2Bb", path: "title", values: ["a+b"] },
  { search: "title=%25", path: "title", values: ["%"] },
  { search: "title=%C3%A9%F0%9F%98%80", path: "title", values: ["é😀"] },
  { search: "title=a=b", path: "title", values: ["a=b"] },
  { search: "title='%20OR%20'1'='1", path: "title", values: ["' OR '1'='1"] },
  { search: "title=+", path: "title", values: [" "] },
  { search: "t%69tle=a", path: "title", values: ["a"] },
  { search: "deliveryAddress.state=NY", path: "deliveryAddress.state", values: ["NY"] },
  { search: "priority=3", path: "priority", values: [3] },
  { search: "price=12.5", path: "price", values: ["12.50"] },
  { search: "active=false", path: "active", values: [false] },
  { search: "status=open&status=closed", path: "status", values: ["open", "closed"] },
])("?$search filters $path by $values", ({ search, path, values }) => {
  expect(parseListQuery(search, tickets).filters).toEqual([
    { path, contains: false, values, orNull: false },
  ]);
});

test.each([
  { search: "title=", values: [] },
  { search: "title", values: [] },
  { search: "title=&title=a", values: ["a"] },
])("an empty value is null: ?$search", ({ search, values }) => {
  expect(parseListQuery(search, tickets).filters).toEqual([
    { path: "title", contains: false, values, orNull: true },
  ]);
});

test("an array is filtered by what it contains", () => {
  expect(parseListQuery("tags=a&tags=", tickets).filters).toEqual([
    { path: "tags", contains: true, values: ["a"], orNull: true },
  ]);
});

test("filters, sort and paging go together", () => {
  expect(
    parseListQuery(
      "status=open&sort=-priority,createdDate&priority=1&pageSize=5&pageNumber=3",
      tickets,
    ),
  ).toEqual({
    filters: [
      { path: "status", contains: false, values: ["open"], orNull: false },
      { path: "priority", contains: false, values: [1], orNull: false },
    ],
    sort: [
      { path: "priority", descending: true },
      { path: "createdDate", descending: false },
    ],
    pageNumber: 3,
    pageSize: 5,
    defaultSize: 20,
    counted: true,
    token: null,
  });
});

test("a sort can name every sortable property once", () => {
  const sort = "title,-status,priority,-createdDate,lastModifiedDate";
  expect(parseListQuery(`sort=${sort}`, tickets).sort).toHaveLength(5);
});

test("what a caller asks for is what is read", () => {
  const visible = fc.string({ unit: "binary", minLength: 1 }).filter((t) => !t.includes("\0"));
  fc.assert(
    fc.property(fc.array(visible, { minLength: 1, maxLength: 5 }), (values) => {
      const search = new URLSearchParams(
        values.map((value): [string, string] => ["title", value]),
      ).toString();
      const encoded = values.map((value) => `title=${encodeURIComponent(value)}`).join("&");
      for (const text of [search, encoded]) {
        expect(parseListQuery(text, tickets).filters).toEqual([
          { path: "title", contains: false, values, orNull: false },
        ]);
      }
    }),
  );
});

test("any text at all is a query, or a validation error", () => {
  const piece = fc.constantFrom(
    "&",
    "=",
    "%",
    "+",
    "sort",
    "title",
    "%ff",
    "%41",
    ",",
    "-",
    "é",
    "[",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      for (const issue of issuesOf(() => parseListQuery(pieces.join(""), tickets))) {
        expect(issue.message).not.toBe("");
      }
    }),
    { numRuns: 2_000 },
  );
});

const PAGE_SIZE = "pageSize must be a whole number from 1 to 100";
const PAGE_NUMBER = "pageNumber must be a whole number from 1 to 2147483647";
const SORTABLE = "sortable are title, status, priority, createdDate, lastModifiedDate";
const NOT_KNOWN = `is not known; filtered are ${Object.keys(tickets.filters).join(", ")}`;
const SORT_FORM = "sort must be names separated by commas, each with at most one - before it";

test.each([
  { search: "foo=1", want: [`foo ${NOT_KNOWN}`] },
  { search: "statsu=open", want: ['statsu is not known; did you mean "status"?'] },
  { search: "pagesize=1", want: ['pagesize is not known; did you mean "pageSize"?'] },
  { search: "page=2", want: ['page is not known; did you mean "pageNumber"?'] },
  { search: "per_page=9", want: ['per_page is not known; did you mean "pageSize"?'] },
  { search: "tickets.status=open", want: ['tickets.status is not known; did you mean "status"?'] },
  { search: "state=NY", want: [`state ${NOT_KNOWN}`] },
  { search: "createdDate=x", want: [`createdDate ${NOT_KNOWN}`] },
  { search: "title[$ne]=x", want: [`title[$ne] ${NOT_KNOWN}`] },
  { search: "constructor=1", want: [`constructor ${NOT_KNOWN}`] },
  { search: "__proto__=1", want: [`__proto__ ${NOT_KNOWN}`] },
  { search: "__proto__.x=1", want: [`__proto__.x ${NOT_KNOWN}`] },
  {
    search: "toString=1&hasOwnProperty=1",
    want: [`toString ${NOT_KNOWN}`, `hasOwnProperty ${NOT_KNOWN}`],
  },
  { search: "a.b.c.d=1", want: [`a.b.c.d ${NOT_KNOWN}`] },
  { search: "=x", want: ["=x has no name"] },
  { search: "status=xyz", want: ["status must be one of open, pending, closed"] },
  { search: "status=xyz&status=abc", want: ["status must be one of open, pending, closed"] },
  { search: "active=yes", want: ["active must be true or false"] },
  { search: "priority=1.5", want: ["priority must be a whole number"] },
  { search: "title=%ff", want: ["title must be percent-encoded UTF-8"] },
  { search: "title=%", want: ["title must be percent-encoded UTF-8"] },
  { search: "title=%c0%af", want: ["title must be percent-encoded UTF-8"] },
  { search: "title=%ed%a0%80", want: ["title must be percent-encoded UTF-8"] },
  { search: "title=é", want: ["title must be percent-encoded UTF-8"] },
  { search: "title=a b", want: ["title must be percent-encoded UTF-8"] },
  { search: "%ff=1", want: ["%ff=1 must be percent-encoded UTF-8"] },
  { search: "title=a%00", want: ["title must not contain the character NUL"] },
  { search: "pageSize=0", want: [PAGE_SIZE] },
  { search: "pageSize=-1", want: [PAGE_SIZE] },
  { search: "pageSize=101", want: [PAGE_SIZE] },
  { search: "pageSize=1.0", want: [PAGE_SIZE] },
  { search: "pageSize=1e1", want: [PAGE_SIZE] },
  { search: "pageSize=0x10", want: [PAGE_SIZE] },
  { search: "pageSize=+5", want: [PAGE_SIZE] },
  { search: "pageSize=", want: ["pageSize must not be empty"] },
  { search: "pageSize", want: ["pageSize must not be empty"] },
  { search: "pageSize=5&pageSize=5", want: ["pageSize must be given once"] },
  { search: "pageNumber=0", want: [PAGE_NUMBER] },
  { search: "pageNumber=1000000000000000000", want: [PAGE_NUMBER] },
  { search: `pageNumber=${"9".repeat(400)}`, want: [PAGE_NUMBER] },
  { search: "pageNumber=1&pageNumber=2", want: ["pageNumber must be given once"] },
  { search: "sort=", want: ["sort must not be empty"] },
  { search: "sort=title&sort=status", want: ["sort must be given once"] },
  { search: "sort=foo", want: [`sort cannot sort by "foo"; ${SORTABLE}`] },
  { search: "sort=titel", want: ['sort cannot sort by "titel"; did you mean "title"?'] },
  {
    search: "sort=-tickets.title",
    want: ['sort cannot sort by "tickets.title"; did you mean "title"?'],
  },
  { search: "sort=tags", want: [`sort cannot sort by "tags"; ${SORTABLE}`] },
  { search: "sort=constructor", want: [`sort cannot sort by "constructor"; ${SORTABLE}`] },
  { search: "sort=title;DROP", want: [`sort cannot sort by "title;DROP"; ${SORTABLE}`] },
  { search: "sort=--title", want: ['sort cannot sort by "-title"; did you mean "title"?'] },
  { search: "sort=-", want: [SORT_FORM] },
  { search: "sort=,", want: [SORT_FORM] },
  { search: "sort=title,", want: [SORT_FORM] },
  { search: "sort=title,-title", want: ['sort must not name "title" twice'] },
  {
    search: "foo=1&pageSize=0&sort=x",
    want: [`foo ${NOT_KNOWN}`, `sort cannot sort by "x"; ${SORTABLE}`, PAGE_SIZE],
  },
])("?$search is refused", ({ search, want }) => {
  expect(issues(search)).toEqual(want);
});

test.each([
  { search: "pageSize=1", want: { pageSize: 1 } },
  { search: "pageSize=100", want: { pageSize: 100 } },
  { search: "pageNumber=2147483647", want: { pageNumber: 2_147_483_647 } },
])("?$search is at a bound", ({ search, want }) => {
  expect(parseListQuery(search, tickets)).toEqual({ ...EMPTY, ...want });
});

test("a filter has at most 100 values", () => {
  const values = (count: number): string => Array(count).fill("title=a").join("&");
  expect(parseListQuery(values(100), tickets).filters).toMatchObject([
    { values: Array(100).fill("a") as unknown },
  ]);
  expect(issues(values(101))).toEqual(["title must be given at most 100 times"]);
});

test("a thousand unknown parameters are 100 issues of at most 40 characters", () => {
  const search = Array.from({ length: 1_000 }, (_, i) => `${i}${"x".repeat(60)}=1`).join("&");
  const found = issuesOf(() => parseListQuery(search, tickets));
  expect(found).toHaveLength(100);
  expect(Math.max(...found.map(({ field }) => field.length))).toBe(40);
});
