import { parseArgs } from "node:util";
import type { Database, Size } from "./attack.js";

/** How the attacks were asked for. */
export interface AttackOptions {
  /** The names of those to run; all of them when there is none. */
  readonly only: readonly string[];
  readonly databases: readonly Database[];
  readonly size: Size;
  /** A line of Node, `24`, or null: the one that runs this. */
  readonly node: string | null;
}

/** Reads `--only fuzz`, several of them, `--database postgres`, `--short`, `--long` and `--node 24`; throws for anything else. */
export function attackOptions(): AttackOptions {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      database: { type: "string" },
      short: { type: "boolean", default: false },
      long: { type: "boolean", default: false },
      node: { type: "string" },
    },
  });
  const { only, short, long, node = null } = values;
  const size = short ? "short" : long ? "long" : "usual";
  return { only, databases: databasesOf(values.database), size, node };
}

/** Both where none is named. */
export function databasesOf(named: string | undefined): readonly Database[] {
  if (named === undefined) return ["sqlite", "postgres"];
  if (named === "sqlite" || named === "postgres") return [named];
  throw new Error(`--database is sqlite or postgres, not ${named}`);
}
