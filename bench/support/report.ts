import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./bench-options.js";

/** One measured figure beside what it should be. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `CPU s`, `us`, `MiB`, `files`, `ratio`. */
  readonly unit: string;
  /** The figure as a multiple of the floor, or of what its name says; null where there is none. */
  readonly ratio: number | null;
  /** At most this. */
  readonly goal: { readonly of: "value" | "ratio"; readonly atMost: number } | null;
}

/** Prints the figures as a table and writes them to bench/results/<name>.json. */
export function report(name: string, figures: readonly Figure[], options: BenchOptions): void {
  process.stdout.write(`${tableText(figures)}\n`);
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const machine = { cores: availableParallelism(), node: process.versions.node };
  const date = options.date === null ? {} : { date: options.date };
  const results = { bench: name, ...date, quick: options.quick, machine, figures };
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
}

/** A Markdown table, so that it can be pasted into docs/performance.md. */
function tableText(figures: readonly Figure[]): string {
  const rows = [
    ["what", "measured", "ratio", "goal", ""],
    ...figures.map((figure) => [
      figure.name,
      `${rounded(figure.value)} ${figure.unit}`,
      figure.ratio === null ? "" : figure.ratio.toFixed(2),
      goalText(figure),
      verdict(figure),
    ]),
  ];
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = `|${(widths ?? []).map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function goalText({ goal, unit }: Figure): string {
  if (goal === null) return "";
  return goal.of === "ratio" ? `ratio <= ${goal.atMost}` : `<= ${goal.atMost} ${unit}`;
}

function verdict(figure: Figure): string {
  const { goal, value, ratio } = figure;
  if (goal === null) return "";
  return (goal.of === "ratio" ? (ratio ?? 0) : value) <= goal.atMost ? "met" : "MISSED";
}

function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 3);
}
