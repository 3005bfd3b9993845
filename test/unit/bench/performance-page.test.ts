import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  BENCHES,
  pagePlots,
  pageText,
  type PageResults,
} from "../../../bench/support/performance-page.js";
import { readResults, type Results } from "../../../bench/support/report.js";

const PAGE = readFileSync("docs/performance.md", "utf8");

test("the page and its plots are what `npm run bench:page` makes of the results", () => {
  const results = readResults(BENCHES);
  expect(Object.keys(results)).toContain("service");
  expect(pageText(PAGE, results)).toBe(PAGE);
  const plots = pagePlots(results);
  for (const [name, svg] of Object.entries(plots)) {
    expect(readFileSync(`docs/pictures/${name}`, "utf8")).toBe(svg);
    expect(PAGE).toContain(`](pictures/${name})`);
  }
  expect(Object.keys(plots)).toHaveLength(2);
});

const SERVICE: Results = {
  bench: "service",
  commit: "0123abcd",
  quick: false,
  machine: { cores: 2, node: "20.20.2" },
  figures: [
    { name: "GET by id: floor", value: 50, unit: "us", ratio: 1 },
    { name: "GET by id: generated", value: 55.04, unit: "us", ratio: 1.1 },
    { name: "GET by id at 1 connections: p50", value: 0.1, unit: "ms", ratio: null },
    { name: "GET by id at 1 connections: p99", value: 0.2, unit: "ms", ratio: null },
    { name: "GET by id at 8 connections: p50", value: 1, unit: "ms", ratio: null },
    { name: "1000 rows: exact count", value: 300, unit: "us", ratio: null },
    { name: "1000000 rows: exact count", value: 18_259, unit: "us", ratio: null },
  ],
};

/** The section of a page that only has its markers. */
function section(name: string, results: PageResults): string {
  const [start, end] = [`<!-- bench:${name} -->\n`, "<!-- /bench -->"];
  return pageText(`Before\n${start}by hand\n${end} after`, results)
    .replace(`Before\n${start}`, "")
    .replace(`\n${end} after`, "");
}

test("a table has a cell for each figure, and a dash for each that is missing", () => {
  const postgres: Results = {
    ...SERVICE,
    figures: [{ name: "POST: generated", value: 1250, unit: "us", ratio: 2.5 }],
  };
  const results = { service: SERVICE, "service-postgres": postgres };
  expect(section("serving", results).split("\n")).toEqual([
    "|           | floor | SQLite         | PostgreSQL     |",
    "|-----------|-------|----------------|----------------|",
    "| GET by id | 50 us | 55.0 us (1.10) | -              |",
    "| POST      | -     | -              | 1.25 ms (2.50) |",
  ]);
  expect(section("growth", results)).toContain("| exact count | 300 us     | 18.3 ms        |");
  expect(section("generating", results)).toBe("Not measured at this commit.");
});

test("all results of a page are of one commit, and of whole runs", () => {
  const generate = { ...SERVICE, bench: "generate" };
  expect(section("commit", { generate, service: SERVICE })).toBe(
    "Measured at commit 0123abcd on 2 cores, Node 20.20.2.",
  );
  const other = { ...SERVICE, commit: "4567cdef" };
  expect(() => section("commit", { generate, service: other })).toThrow(
    "measured at several commits: 0123abcd, 4567cdef",
  );
  const quick = { ...SERVICE, quick: true };
  expect(() => section("commit", { service: quick })).toThrow("measured with --quick: service");
  expect(() => section("unheard", { service: SERVICE })).toThrow("unknown marker: unheard");
});

test("a plot has a line for each kind of request, dashed for p99, on logarithmic axes", () => {
  const plots = pagePlots({ service: SERVICE });
  const latency = plots["latency-under-load.svg"] ?? "";
  expect([...latency.matchAll(/<polyline .*points="(.+)"/g)].map(([, points]) => points)).toEqual([
    "85,350 359.3,50",
    "85,259.7",
  ]);
  expect(latency.match(/<polyline .*stroke-dasharray/g)).toHaveLength(1);
  expect(latency).toContain(">latency in ms</text>");
  const lists = plots["cost-of-lists.svg"] ?? "";
  expect(lists).toContain(">CPU time of a request in ms</text>");
  expect(lists).toContain(">1,000,000</text>");
  expect(lists).not.toContain("NaN");
});
