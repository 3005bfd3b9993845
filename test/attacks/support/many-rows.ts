import { connectSqlite } from "#runtime/store/sqlite/module";
import { query } from "../../support/postgres-schema.js";
import type { Arena } from "./attack.js";

/** Rows that are copies of one that a client has made. */
export interface Copies {
  readonly table: string;
  readonly idColumn: string;
  /** The one that is copied. */
  readonly id: string;
  readonly count: number;
  /** SQL of both databases for what differs, by column; `n.i` is the number of the row. */
  readonly differing?: Readonly<Record<string, string>>;
}

/** Makes more rows than there is time to create over HTTP, straight in the database of an arena. */
export async function copyRows(arena: Arena, copies: Copies): Promise<void> {
  const { table, idColumn, id, differing = {} } = copies;
  const isSqlite = arena.database === "sqlite";
  const run = isSqlite ? sqliteRunner(arena.databaseUrl) : postgresRunner(arena.databaseUrl);
  const [row = {}] = await run.all(`SELECT * FROM "${table}" WHERE "${idColumn}" = '${id}'`);
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const values = Object.keys(row).map((column) =>
    column === idColumn ? newId(isSqlite) : (differing[column] ?? `t."${column}"`),
  );
  const numbers = isSqlite
    ? `(WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${copies.count}) SELECT i FROM c)`
    : `(SELECT generate_series(1, ${copies.count}) AS i)`;
  await run.all(
    `INSERT INTO "${table}" (${columns.join(", ")}) SELECT ${values.join(", ")}
     FROM ${numbers} AS n, "${table}" AS t WHERE t."${idColumn}" = '${id}'`,
  );
  if (!isSqlite) await run.all(`ANALYZE "${table}"`);
  run.close();
}

/** A UUID of the row's number. */
function newId(isSqlite: boolean): string {
  const digits = isSqlite ? "printf('%012x', n.i)" : "lpad(to_hex(n.i), 12, '0')";
  const text = `'01900000-0000-7000-8000-' || ${digits}`;
  return isSqlite ? text : `(${text})::uuid`;
}

interface Runner {
  readonly all: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly close: () => void;
}

function sqliteRunner(url: string): Runner {
  const database = connectSqlite(url.replace(/^sqlite:/, ""));
  return {
    all: async (sql) => (await database).prepare(sql).all(),
    close: () => void database.then((opened) => opened.close()),
  };
}

function postgresRunner(url: string): Runner {
  return { all: (sql) => query(url, sql), close: () => undefined };
}
