import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import type { SqlRow, SortedPage } from "#runtime/store/database";
import type { ValueFilter } from "#runtime/query/query";
import type { ListedTable } from "#runtime/store/entity-table";
import { ListSql } from "#runtime/store/list-sql";
import { IndexShapes, readPlan } from "#runtime/store/sqlite/read-plan";
import { connectSqlite } from "#runtime/store/sqlite/module";
import { openSqlite } from "#runtime/store/sqlite/sqlite";
import { applyScript } from "./fixture/apply-script.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ROWS = 6000;
const COLUMNS = ["share", "place", "title", "rank", "grade", "nothing", "plain"];
const TABLES = `CREATE TABLE "items" ("itemId" TEXT PRIMARY KEY NOT NULL, "share" TEXT, "place" TEXT,
  "title" TEXT NOT NULL, "rank" INTEGER NOT NULL, "grade" INTEGER, "nothing" TEXT, "plain" INTEGER);
${COLUMNS.filter((name) => name !== "plain")
  .map((name) => `CREATE INDEX "items_${name}" ON "items" ("${name}", "itemId");`)
  .join("\n")}`;
const TABLE: ListedTable = {
  name: "items",
  idProperty: "itemId",
  columns: Object.fromEntries(
    COLUMNS.map((name) => [
      name,
      { expression: `"${name}"`, required: name === "title" || name === "rank" },
    ]),
  ),
};

/** A row that differs from others in everything that decides how a page is found. */
function itemOf(number: number): Record<string, string | number | null> {
  const mixed = (number * 7919) % ROWS;
  const share = number === 17 ? "one" : number % 300 === 1 ? "twenty" : "rest";
  return {
    itemId: String((number * 4211) % ROWS).padStart(5, "0"),
    share: number % 3 === 0 ? "third" : share,
    // All rows with one of these come first, or last, in the order of the titles.
    place: mixed < 1500 ? "early" : mixed >= 4500 ? "late" : null,
    title: String(mixed).padStart(5, "0"),
    rank: number % 5,
    grade: number % 11 === 0 ? null : mixed % 400 < 200 ? 3 : mixed % 37,
    nothing: null,
    plain: number % 10,
  };
}

const items = Array.from({ length: ROWS }, (_, number) => itemOf(number));
const database = await openSqlite(join(temporaryFolder(), "items.db"));
await applyScript(database, TABLES);
await database.write(
  items.map((item) => ({
    sql: `INSERT INTO "items" VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    values: Object.values(item),
  })),
);
afterAll(() => database.close());
const lists = new ListSql(TABLE, "sqlite", `SELECT * FROM "items"`);

function filtersOf(where: object): readonly ValueFilter[] {
  return Object.entries(where).map(([path, value]: [string, unknown]) => {
    const values = [value].flat().filter((one) => one !== null);
    return { path, contains: false, values: values.map(String), orNull: value === null };
  });
}

/** A page whose rows say which statement has found them. */
function pageOf(where: object, sort: string, pageNumber: number, pageSize = 20): SortedPage {
  const filters = filtersOf(where);
  const key = { path: sort.replace("-", ""), descending: sort.startsWith("-") };
  const query = { filters, sort: [key] };
  const { page, sorted } = lists.statements(query);
  if (sorted === null) throw new Error("There is one statement only.");
  const offset = (pageNumber - 1) * pageSize;
  return {
    ...sorted,
    sql: page.replace("SELECT", "SELECT 'usual' AS way,"),
    ahead: sorted.ahead.replace("SELECT", "SELECT 'ahead' AS way,"),
    values: [...lists.values(query), pageSize, offset],
  };
}

async function rowsOf(page: SortedPage): Promise<readonly SqlRow[]> {
  return (await database.sortedPage?.(page)) ?? [];
}

/** Ascending or descending, nulls last, ties by identifier. */
function sortedInMemory(where: object, sort: string): readonly unknown[] {
  const path = sort.replace("-", "");
  const sign = sort.startsWith("-") ? -1 : 1;
  const passing = items.filter((item) =>
    Object.entries(where).every(([name, value]) => [value].flat().includes(item[name])),
  );
  const compare = (a: unknown, b: unknown): number =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : (a as string) < (b as string) ? -sign : sign;
  return passing
    .toSorted(
      (a, b) => compare(a[path], b[path]) || (String(a["itemId"]) < String(b["itemId"]) ? -1 : 1),
    )
    .map(({ itemId }) => itemId);
}

const FILTERS = [
  ...["none", "one", "twenty", "third", "rest"].map((share) => ({ share })),
  { share: ["third", "twenty"] },
  { share: ["third", "rest", "twenty", "one"] },
  ...["early", "late", null].map((place) => ({ place })),
  { nothing: null },
  { share: "third", place: "late" },
];
const SORTS = ["title", "rank", "grade", "nothing", "plain"].flatMap((name) => [name, `-${name}`]);

test.each(FILTERS)("pages of %j are those of all rows sorted in memory", async (where) => {
  for (const sort of SORTS) {
    const wanted = sortedInMemory(where, sort);
    for (const pageSize of [7, 20, 150]) {
      const last = Math.ceil(wanted.length / pageSize) + 1;
      const numbers = new Set([1, 2, 3, 4, 9, last - 2, last - 1, last]);
      for (const pageNumber of [...numbers].filter((number) => number > 0)) {
        const rows = await rowsOf(pageOf(where, sort, pageNumber, pageSize));
        const from = (pageNumber - 1) * pageSize;
        const name = `${sort}, page ${pageNumber} of ${pageSize}`;
        expect([name, ...rows.map(({ itemId }) => itemId)]).toEqual([
          name,
          ...wanted.slice(from, from + pageSize),
        ]);
      }
    }
  }
});

test.each([
  { name: "a third", where: { share: "third" }, sort: "title", want: "ahead" },
  { name: "a third, descending", where: { share: "third" }, sort: "-title", want: "ahead" },
  { name: "ties", where: { share: "third" }, sort: "-rank", want: "ahead" },
  { name: "a nullable sort", where: { share: "third" }, sort: "grade", want: "ahead" },
  { name: "several values", where: { share: ["third", "one"] }, sort: "rank", want: "ahead" },
  { name: "rows that come first", where: { place: "early" }, sort: "title", want: "ahead" },
  { name: "rows that come last", where: { place: "late" }, sort: "title", want: "usual" },
  { name: "few rows", where: { share: "twenty" }, sort: "title", want: "usual" },
  { name: "nulls only", where: { share: "third" }, sort: "nothing", want: "usual" },
  { name: "a sort without index", where: { share: "third" }, sort: "plain", want: "usual" },
  { name: "two filters", where: { share: "third", place: null }, sort: "title", want: "usual" },
])("page 1 of $name is found by the $want statement", async ({ where, sort, want }) => {
  const rows = await rowsOf(pageOf(where, sort, 1, 19));
  expect(new Set(rows.map(({ way }) => way))).toEqual(new Set([want]));
});

test("a deep page is found by the usual statement", async () => {
  expect((await rowsOf(pageOf({ share: "third" }, "title", 50)))[0]?.["way"]).toBe("usual");
});

test("few rows that one index finds are counted at once, others by the whole statement", () => {
  const counted = FILTERS.map((where) => {
    const query = { filters: filtersOf(where), sort: [] };
    const { count, few } = lists.statements(query);
    const found = database.countFew?.({ count, few: few ?? "" }, lists.values(query));
    const passing = sortedInMemory(where, "title").length;
    if (found !== null) expect([where, found]).toEqual([where, passing]);
    return [Object.values(where).join(), found !== null];
  });
  expect(counted.filter(([, isKnown]) => isKnown).map(([name]) => name)).toEqual([
    ...["none", "one", "twenty"],
  ]);
});

test("an attempt in vain is not repeated with every request", async () => {
  const page = pageOf({ place: "late" }, "-rank", 1, 21);
  const vain = { ...page, ahead: page.ahead.replace(" IN (", " NOT NULL AND 1 = 0 AND 1 IN (") };
  await rowsOf(vain);
  const ways: unknown[] = [];
  for (let request = 0; request < 21; request += 1) ways.push((await rowsOf(page))[0]?.["way"]);
  expect(ways).toEqual([...Array.from({ length: 20 }, () => "usual"), "ahead"]);
});

test("rows ahead are read from the index of the sort alone", async () => {
  const connection = await connectSqlite(":memory:");
  connection.exec(TABLES);
  const plan = (sql: string) => readPlan(sql, connection, new IndexShapes(connection)).reach;
  for (const sort of ["title", "-rank", "grade", "-grade"]) {
    const { sql, few, walk, ahead } = pageOf({ share: "third" }, sort, 1);
    expect([plan(sql), plan(few ?? ""), plan(walk)]).toEqual(["matches", "window", "window"]);
    const steps = connection
      .prepare(`EXPLAIN QUERY PLAN ${ahead}`)
      .all()
      .map(({ detail }) => String(detail));
    const index = `items_${sort.replace("-", "")}`;
    expect(steps[0]).toBe("SEARCH items USING INTEGER PRIMARY KEY (rowid=?)");
    for (const step of steps.slice(1).filter((one) => / items /.test(one))) {
      expect(step).toMatch(new RegExp(`^(?:SEARCH|SCAN) items USING COVERING INDEX ${index}\\b`));
    }
    // The one sort is that of the rows which pass the filters.
    expect(steps.filter((one) => one.includes("TEMP B-TREE"))).toEqual([steps.at(-1)]);
  }
  connection.close();
});
