import { parseArgs } from "node:util";

/** How a bench was asked for. */
export interface BenchOptions {
  /** Smaller inputs and fewer rounds. */
  readonly quick: boolean;
  /** Written into the results; null leaves it out, so that two runs differ in their figures only. */
  readonly date: string | null;
}

/** Reads `--quick` and `--date 2026-01-31`; throws for anything else. */
export function benchOptions(): BenchOptions {
  const { values } = parseArgs({
    options: { quick: { type: "boolean", default: false }, date: { type: "string" } },
  });
  return { quick: values.quick, date: values.date ?? null };
}
