import type { StoredTable } from "#runtime/store/storage-model";
import { InternalError } from "../diagnostics/internal-error.js";
import { sqlName } from "../naming/encoders.js";
import { COMMON_COLUMNS } from "./own-columns.js";
import { insideJson, type SqlDialect } from "./sql-dialect.js";

/** Whether no schema has a part in a table: the service keeps it beside its entities. */
export function isOwnTable({ holds }: StoredTable): boolean {
  return holds === "answers" || holds === "events";
}

/** The name of a table, or of its index: bare where no schema has a part in it. */
export function nameOf(table: StoredTable, name: string): string {
  return isOwnTable(table) ? name : sqlName(name);
}

/** The name of a column where the table is made: bare where the service named it. */
export function columnName({ holds }: StoredTable, name: string): string {
  const isOwn = holds !== "entities" || COMMON_COLUMNS.some((column) => column.name === name);
  return isOwn ? name : sqlName(name);
}

/** What an index is ordered by: a column, or a leaf of a JSON column. */
export function termExpression(table: StoredTable, term: string, dialect: SqlDialect): string {
  const [name = "", ...steps] = term.split(".");
  if (table.holds !== "entities") return name;
  if (steps.length === 0) return sqlName(name);
  return insideJson(sqlName(name), steps, leafAt(table, [name, ...steps]), dialect);
}

type Leaf = StoredTable["columns"][number];

function leafAt({ name: table, columns }: StoredTable, path: readonly string[]): Leaf {
  let among = columns;
  let found: Leaf | undefined;
  for (const step of path) {
    found = among.find(({ name }) => name === step);
    among = found?.encoding.members ?? [];
  }
  if (found === undefined) throw new InternalError(`${table} has no ${path.join(".")}`);
  return found;
}
