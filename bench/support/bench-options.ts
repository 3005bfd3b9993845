import { parseArgs } from "node:util";

/** How a bench was asked for. */
export interface BenchOptions {
  /** Smaller inputs and fewer rounds. */
  readonly quick: boolean;
  /** Peers are run on inputs, too, that take them minutes. */
  readonly slowPeers: boolean;
  /** Nothing but the shop's orders with what they refer to. */
  readonly onlyReferences: boolean;
  /** What the generated service keeps its entities in; the floor is always on SQLite. */
  readonly database: "sqlite" | "postgres";
  /** A revision of git, whose generator makes a service that is measured beside ours; null: none. */
  readonly against: string | null;
  /** Written into the results; null leaves it out, so that two runs differ in their figures only. */
  readonly date: string | null;
}

/** Reads `--quick`, `--slow-peers`, `--only-references`, `--database postgres`, `--against main` and `--date 2026-01-31`; throws for anything else. */
export function benchOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      "slow-peers": { type: "boolean", default: false },
      "only-references": { type: "boolean", default: false },
      database: { type: "string", default: "sqlite" },
      against: { type: "string" },
      date: { type: "string" },
    },
  });
  const { quick, database, against = null, date = null } = values;
  const slowPeers = values["slow-peers"];
  const onlyReferences = values["only-references"];
  if (database === "sqlite" || database === "postgres") {
    return { quick, slowPeers, onlyReferences, database, against, date };
  }
  throw new Error(`--database is sqlite or postgres, not ${database}`);
}
