import { statSync } from "node:fs";

import { ResultTooLarge } from "../database.js";
import { resultCode, connectSqlite, READ_ONLY, type SqliteConnection } from "./module.js";
import {
  BoundedRows,
  columnNames,
  statementCache,
  type StatementCache,
  type OrderedStep,
  type ReadOrder,
  type RowsOutcome,
  type StatementOrder,
  type StatementOutcome,
} from "./statements.js";

// A program that runs the long statements of a service, which can kill it.

const PRAGMAS = [
  "PRAGMA busy_timeout = 5000",
  "PRAGMA synchronous = FULL",
  "PRAGMA wal_autocheckpoint = 4000",
  // A cache of 64 MB, since it reads much of the database.
  "PRAGMA cache_size = -64000",
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
];

/** SQLITE_CANTOPEN */
const CANNOT_OPEN = 14;

/** The arguments of the program. Importing this type also makes compilers find the program. */
export type ProgramArguments = [path: string, identity: string];

const [path = "", identity = ""] = process.argv.slice(2);
const bounded = new BoundedRows();
let opened: Promise<StatementCache> | null = null;

// The service ends this process, also when a terminal sends a signal to all processes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (order: StatementOrder) => void answer(order));

async function answer(order: StatementOrder): Promise<void> {
  try {
    opened ??= open(order.kind === "read" ? [...PRAGMAS, READ_ONLY] : PRAGMAS);
    const statements = await opened.catch((error: unknown) => {
      opened = null;
      throw error;
    });
    process.send?.(
      order.kind === "read" ? read(order, statements) : write(order.steps, statements),
    );
  } catch (error) {
    if (error instanceof ResultTooLarge) {
      process.send?.({ kind: "tooLarge", mostBytes: error.mostBytes });
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    process.send?.({ kind: "failed", message, errcode: resultCode(error) });
  }
}

/** Throws unless the file is still the one that the service has opened. */
async function open(pragmas: readonly string[]): Promise<StatementCache> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || `${found.dev}:${found.ino}` !== identity) {
    throw Object.assign(new Error(`${path} was removed or replaced.`), { errcode: CANNOT_OPEN });
  }
  const connection: SqliteConnection = await connectSqlite(path);
  for (const pragma of pragmas) connection.exec(pragma);
  return statementCache(connection);
}

function read({ sql, values, bound }: ReadOrder, statements: StatementCache): RowsOutcome {
  const started = performance.now();
  const statement = statements.of(sql);
  const rows = bound === null ? statement.all(...values) : bounded.read(statement, values, bound);
  const milliseconds = performance.now() - started;
  const names = columnNames(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => row[name] ?? null));
  return { kind: "rows", names, cells, milliseconds };
}

function write(steps: readonly OrderedStep[], statements: StatementCache): StatementOutcome {
  const run = (sql: string): void => void statements.of(sql).run();
  run("BEGIN IMMEDIATE");
  try {
    for (const [step, { sql, values, changes }] of steps.entries()) {
      const changed = Number(statements.of(sql).run(...values).changes);
      if (changes === undefined || changed === changes) continue;
      run("ROLLBACK");
      return { kind: "mismatch", step, changed };
    }
    run("COMMIT");
    return { kind: "written" };
  } catch (error) {
    try {
      run("ROLLBACK");
    } catch {
      // SQLite has rolled back already; the first error is reported.
    }
    throw error;
  }
}
