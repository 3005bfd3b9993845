import type { Outcome } from "./smoke-test.js";

/** What is printed at the end, and the counts of its cells. */
export interface OutcomeTable {
  readonly text: string;
  readonly passed: number;
  readonly failed: number;
}

/** A row for each step, a column for each Node; below it, whether all of them generated the same bytes. */
export function outcomeTable(outcomes: readonly Outcome[]): OutcomeTable {
  const [first] = outcomes;
  const steps = first?.results.map(({ step }) => step) ?? [];
  const marks = steps.map((step, row) => [
    step,
    ...outcomes.map(({ results }) => results[row]?.mark ?? "-"),
  ]);
  const hashes = new Set(outcomes.map(({ hash }) => hash).filter((hash) => hash !== ""));
  const sameMark = hashes.size === 1 ? "ok" : "FAILED";
  const same = outcomes.map(({ hash }) => (hash === "" ? "-" : sameMark));
  const rows = [...marks, ["same bytes as the others", ...same]];
  const cells = rows.flatMap(([, ...results]) => results);
  const passed = cells.filter((mark) => mark === "ok").length;
  const head = ["", ...outcomes.map(({ name }) => name)];
  return { text: lines([head, ...rows]), passed, failed: cells.length - passed };
}

function lines(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
