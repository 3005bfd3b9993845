import { DatabaseSync } from "@photostructure/sqlite";
import { Client } from "pg";
import { unreadRows } from "#runtime/store/migrations/state";

/** What a statement of a script is for, and the statement. */
interface Part {
  readonly kind: string;
  readonly what: string;
  readonly sql: string;
}

/** A migration is refused: these rows stand in its way. */
export class RowsInTheWay extends Error {
  constructor(
    readonly what: string,
    readonly identifiers: readonly string[],
  ) {
    super(`${what}: ${identifiers.join(", ")}`);
  }
}

/** The parts of a script by its markers; one without any is a single part. */
export function partsOf(script: string): readonly Part[] {
  const [head = "", ...parts] = script.split(
    /^(?=-- (?:check|read|run|batch|outside|contract): )/m,
  );
  if (parts.length === 0) return [{ kind: "run", what: "all of it", sql: head }];
  return parts.map((part) => {
    const [, kind = "", what = ""] = /^-- (\w+): (.*)$/m.exec(part) ?? [];
    return {
      kind,
      what,
      sql: part
        .slice(part.indexOf("\n") + 1)
        .trim()
        .replace(/;$/, ""),
    };
  });
}

/** A database that scripts of migrations are run on; as simple as can be, since a service has a runner of its own. */
export interface ScriptDatabase {
  /** Throws `RowsInTheWay`. */
  migrate(script: string): Promise<void>;
  all(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A database in memory. */
export function openSqliteScripts(): ScriptDatabase {
  const database = new DatabaseSync(":memory:");
  database.exec("PRAGMA foreign_keys = ON");
  const all = (sql: string): Record<string, unknown>[] =>
    database.prepare(sql).all() as Record<string, unknown>[];
  return {
    migrate: async (script) => {
      await refuseRows(partsOf(script), async (sql) => all(sql));
      const isRebuilding = /^-- foreign keys: off$/m.test(script);
      if (isRebuilding) database.exec("PRAGMA foreign_keys = OFF");
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const { kind, sql } of partsOf(script)) if (!CHECKS.has(kind)) database.exec(sql);
        refuse("foreign keys", idsOf(all("PRAGMA foreign_key_check")));
        database.exec("COMMIT");
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      } finally {
        database.exec("PRAGMA foreign_keys = ON");
      }
    },
    all: async (sql) => all(sql),
    close: async () => database.close(),
  };
}

/** A database of a server. */
export async function openPostgresScripts(url: string): Promise<ScriptDatabase> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const all = async (sql: string): Promise<Record<string, unknown>[]> =>
    (await client.query<Record<string, unknown>>(sql)).rows;
  return {
    migrate: async (script) => {
      const parts = partsOf(script);
      await refuseRows(parts, all);
      for (const { kind, sql } of parts) {
        if (CHECKS.has(kind)) continue;
        // Every statement can be run again, as after a process that was killed.
        for (let time = 1; time <= 2; time += 1) {
          if (kind === "batch") await repeat(client, sql.replaceAll(":limit", "3"));
          // Of items, which the statement itself writes; all at once.
          else if (sql.includes(":after"))
            await client.query(sql.replace(":after", "''").replace(":limit", "1000000"));
          else if (parts.length > 1 || time === 1) await client.query(sql);
        }
      }
    },
    all,
    close: () => client.end(),
  };
}

async function repeat(client: Client, sql: string): Promise<void> {
  while (((await client.query(sql)).rowCount ?? 0) > 0);
}

/** What only looks at rows. */
const CHECKS: ReadonlySet<string> = new Set(["check", "read"]);

async function refuseRows(parts: readonly Part[], all: ScriptDatabase["all"]): Promise<void> {
  for (const { kind, what, sql } of parts) {
    if (kind === "check") refuse(what, idsOf(await all(sql)));
    if (kind === "read") refuse(what, (await unreadRows({ rows: all }, sql))?.identifiers ?? []);
  }
}

const idsOf = (rows: readonly Record<string, unknown>[]): string[] =>
  rows.map((row) => String(Object.values(row)[0]));

function refuse(what: string, identifiers: readonly string[]): void {
  if (identifiers.length > 0) throw new RowsInTheWay(what, [...identifiers].sort());
}
