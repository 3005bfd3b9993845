import { statSync } from "node:fs";

import { ResultTooLarge } from "../database.js";
import { resultCode } from "./errors.js";
import { connectSqlite, READ_ONLY, type SqliteConnection } from "./module.js";
import {
  BoundedRows,
  namesOf,
  statementCache,
  type StatementCache,
  type OrderedStep,
  type ReadOrder,
  type RowsOutcome,
  type StatementOrder,
  type StatementOutcome,
} from "./statements.js";

// A program: it runs the statements of one service that take long, so that the service can go on, and end them.

const PRAGMAS = [
  "PRAGMA busy_timeout = 5000",
  "PRAGMA synchronous = FULL",
  "PRAGMA wal_autocheckpoint = 4000",
  // It goes through much of the database: 64 MB of it stay at hand.
  "PRAGMA cache_size = -64000",
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
];

/** SQLite's code for a file that is not there. */
const CANNOT_OPEN = 14;

/** What the program is started with: the database, and which file that is. Whoever starts it imports this, so that compilers find the program. */
export type ProgramArguments = [path: string, identity: string];

const [path = "", identity = ""] = process.argv.slice(2);
const bounded = new BoundedRows();
let opened: Promise<StatementCache> | null = null;

// Whoever started it says when it ends, also where a signal goes to all processes of a terminal or a container.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", (order: StatementOrder) => void answer(order));

async function answer(order: StatementOrder): Promise<void> {
  try {
    // A process has either queries or writes.
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

/** The very file that the service has: another one must neither be read nor be made. */
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
  const names = namesOf(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => row[name] ?? null));
  return { kind: "rows", names, cells, milliseconds };
}

/** All of the steps or none. */
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
      // SQLite has rolled back by itself; the error that led here is the one to report.
    }
    throw error;
  }
}
