import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./bench-options.js";
import { tableText } from "./table-text.js";

const FOLDER = fileURLToPath(new URL("../results/", import.meta.url));

/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `CPU s`, `us`, `ms`, `MiB`, `KiB`, `files`, `requests/s`. */
  readonly unit: string;
  /** The figure as a multiple of the floor, or of what its name says; null where there is none. */
  readonly ratio: number | null;
}

/** What a bench writes to bench/results/<name>.json. */
export interface Results {
  readonly bench: string;
  readonly date?: string;
  /** The revision that was measured. Older results do not name it. */
  readonly commit?: string;
  readonly quick: boolean;
  readonly machine: { readonly cores: number; readonly node: string };
  readonly figures: readonly Figure[];
}

/** Prints the figures as a table and writes them to bench/results/<name>.json. */
export function report(name: string, figures: readonly Figure[], options: BenchOptions): void {
  process.stdout.write(`${printed(figures)}\n`);
  mkdirSync(FOLDER, { recursive: true });
  const machine = { cores: availableParallelism(), node: process.versions.node };
  const date = options.date === null ? {} : { date: options.date };
  const { quick } = options;
  const results: Results = { bench: name, ...date, commit: commit(), quick, machine, figures };
  writeFileSync(resultFile(name), resultText(results));
}

/** JSON with each figure on a line of its own. */
function resultText({ figures, ...head }: Results): string {
  const lines = figures.map((figure) => `    ${JSON.stringify(figure)}`);
  const start = JSON.stringify(head, null, 2).slice(0, -"\n}".length);
  return `${start},\n  "figures": [\n${lines.join(",\n")}\n  ]\n}\n`;
}

/** Reads the results of those of these benches that were run. */
export function readResults(benches: readonly string[]): Readonly<Record<string, Results>> {
  const found = benches.filter((bench) => existsSync(resultFile(bench)));
  // What `report` writes.
  const read = (bench: string): Results => JSON.parse(readFileSync(resultFile(bench), "utf8"));
  return Object.fromEntries(found.map((bench) => [bench, read(bench)]));
}

function resultFile(bench: string): string {
  return `${FOLDER}${bench}.json`;
}

/** The short hash of the revision in this folder. Changes that are not committed are named with it. */
function commit(): string {
  const git = (...parameters: readonly string[]): string =>
    execFileSync("git", parameters, { encoding: "utf8" }).trim();
  const measured = ["src", "templates", "bin", "package.json", "bench", ":!bench/results"];
  const changed = git("status", "--porcelain", "--", ...measured);
  return git("rev-parse", "--short=8", "HEAD") + (changed === "" ? "" : " with changes");
}

function printed(figures: readonly Figure[]): string {
  return tableText([
    ["what", "measured", "ratio"],
    ...figures.map(({ name, value, unit, ratio }) => [
      name,
      measuredText(value, unit),
      ratio?.toFixed(2) ?? "",
    ]),
  ]);
}

/** A value with its unit: `60.0 us`, `1.27 ms`, `1,346 files`. */
export function measuredText(value: number, unit: string): string {
  if (unit === "us" && value >= 1000) return measuredText(value / 1000, "ms");
  if (unit === "KiB" && value >= 1024) return measuredText(value / 1024, "MiB");
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : unit === "CPU s" ? 3 : 2;
  const rounded = Number.isInteger(value) ? value : Number(value.toFixed(digits));
  return `${rounded.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(value) ? 0 : digits })} ${unit}`;
}
