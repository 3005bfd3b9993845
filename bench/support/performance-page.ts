import { svgOf, type Series } from "./plot.js";
import { measuredText, type Figure, type Results } from "./report.js";
import { tableText } from "./table-text.js";

/** The results that the page is made of, by the name of their bench. */
export type PageResults = Readonly<Record<string, Results>>;

/** The names of the results that `npm run bench` writes. Those that are missing leave cells empty. */
export const BENCHES = [
  ...["generate", "service", "references"],
  ...["service-postgres", "references-postgres"],
];

const EMPTY = "-";

/** Replaces what is between the markers of a page by what follows from the results. Throws for unknown markers. */
export function pageText(page: string, results: PageResults): string {
  const sections = sectionsOf(results);
  const marker = /(<!-- bench:(\w+) -->\n)[^]*?(<!-- \/bench -->)/g;
  return page.replace(marker, (_all, start: string, name: string, end: string) => {
    const section = sections[name];
    if (section === undefined) throw new Error(`the page has an unknown marker: ${name}`);
    return `${start}${section}\n${end}`;
  });
}

/** The plots of the page, by their paths below docs/pictures. */
export function pagePlots({ service }: PageResults): Readonly<Record<string, string>> {
  const figures = service?.figures ?? [];
  return {
    "cost-of-lists.svg": svgOf({
      title: "CPU time of a list against the number of rows (SQLite)",
      x: { label: "rows in the table", ticks: [1000, 10_000, 100_000, 1_000_000] },
      y: { label: "CPU time of a request in ms" },
      series: seriesOf(figures, /^(?<x>\d+) rows: (?<name>.*)$/, 0.001),
    }),
    "latency-under-load.svg": svgOf({
      title: "Latency against concurrent connections (SQLite)",
      x: { label: "connections, each with one request at a time", ticks: [1, 8, 32, 64, 128] },
      y: { label: "latency in ms" },
      series: seriesOf(figures, /^(?<name>.*) at (?<x>\d+) connections(?<of>: p\d+)$/, 1),
    }),
  };
}

/** The text between the markers. Throws where the results are not all of one commit, or of a quick run. */
function sectionsOf(results: PageResults): Readonly<Record<string, string>> {
  const of = (...benches: readonly string[]): readonly Figure[] =>
    benches.flatMap((bench) => results[bench]?.figures ?? []);
  const ofSqlite = of("service", "references");
  const ofPostgres = of("service-postgres", "references-postgres");
  const loads = /^(?<row>.*) at (?<column>\d+) connections(?<rest>: .*)$/;
  const starts = renamed(of("service"), /^boot with (\d+ resources):/, "$1: start of a service,");
  return {
    commit: measuredAt(Object.values(results)),
    generating: pivot(
      [...of("generate"), ...starts],
      // No change touches no file, which a test of its own shows.
      /^(?<column>\d+ resources): (?<row>(?!files touched by no change).*)$/,
    ),
    serving: pivot(
      [
        ...ofSqlite,
        ...renamed(ofSqlite, /generated$/, "SQLite"),
        ...renamed(ofPostgres, /generated$/, "PostgreSQL"),
      ],
      /^(?<row>.*): (?<column>floor|SQLite|PostgreSQL)$/,
      { isRatioShown: true },
    ),
    growth: pivot(of("service"), /^(?<column>\d+ rows): (?<row>.*)$/),
    load: pivot(
      [...of("service"), ...renamed(ofPostgres, /^(?=.*: p\d+$)/, "PostgreSQL, ")],
      loads,
      { corner: "connections" },
    ),
  };
}

/** The figures whose name has the pattern, with the replacement in it. */
function renamed(figures: readonly Figure[], pattern: RegExp, by: string): readonly Figure[] {
  return figures
    .filter(({ name }) => pattern.test(name))
    .map((figure) => ({ ...figure, name: figure.name.replace(pattern, by) }));
}

/** Says in one line what was measured. */
function measuredAt(results: readonly Results[]): string {
  const quick = results.filter((one) => one.quick).map(({ bench }) => bench);
  if (quick.length > 0) throw new Error(`measured with --quick: ${quick.join(", ")}`);
  const commits = new Set(results.map(({ commit = "unknown" }) => commit));
  if (commits.size > 1) throw new Error(`measured at several commits: ${[...commits].join(", ")}`);
  const machines = results.map(({ machine }) => `${machine.cores} cores, Node ${machine.node}`);
  return `Measured at commit ${[...commits].join()} on ${[...new Set(machines)].join(" and ")}.`;
}

/** A table with a cell for each figure whose name has the pattern: the groups `row` and `column` say where. */
function pivot(
  figures: readonly Figure[],
  pattern: RegExp,
  { isRatioShown = false, corner = "" } = {},
): string {
  const columns = new Set<string>();
  const rows = new Map<string, Map<string, string>>();
  for (const { name, value, unit, ratio } of figures) {
    const { row = "", column = "", rest = "" } = pattern.exec(name)?.groups ?? {};
    if (column === "") continue;
    columns.add(column);
    const cells = rows.get(row + rest) ?? new Map<string, string>();
    const of = isRatioShown && ratio !== null && ratio !== 1 ? ` (${ratio.toFixed(2)})` : "";
    rows.set(row + rest, cells.set(column, measuredText(value, unit) + of));
  }
  if (columns.size === 0) return "Not measured at this commit.";
  return tableText([
    [corner, ...[...columns].map(grouped)],
    ...[...rows].map(([row, cells]) => [
      row,
      ...[...columns].map((column) => cells.get(column) ?? EMPTY),
    ]),
  ]);
}

/** Lines by the group `name` of the pattern, each with a point for each value of the group `x`. */
function seriesOf(figures: readonly Figure[], pattern: RegExp, factor: number): readonly Series[] {
  const series = new Map<string, { x: number; y: number }[]>();
  for (const { name, value } of figures) {
    const found = pattern.exec(name)?.groups;
    if (found === undefined) continue;
    const line = (found["name"] ?? "") + (found["of"] ?? "");
    series.set(line, [...(series.get(line) ?? []), { x: Number(found["x"]), y: value * factor }]);
  }
  return [...series].map(([name, points]) => ({ name, points, isDashed: name.endsWith("p99") }));
}

/** Groups the digits of a number: `1,000 rows`. */
function grouped(text: string): string {
  return text.replace(/^\d+/, (digits) => Number(digits).toLocaleString("en-US"));
}
