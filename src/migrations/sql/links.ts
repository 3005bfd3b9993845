import type { MigrationStep } from "#runtime/store/migrations/migration";
import type { Encoding, StorageModel, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { linkName } from "../../storage/references.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";
import { isWithin } from "../paths.js";
import { jsonSteps } from "./json-sql.js";
import { eachItem, itemText, memberOf } from "./json-values.js";
import type { Statement } from "./statement.js";

/** What fills a new table of links from the references that were there before; nothing where there were none. */
export function fillLinks(
  table: StoredTable,
  turn: Turn,
  dialect: SqlDialect,
): readonly Omit<Statement, "kind">[] {
  const [owner, other] = table.foreignKeys;
  const path = filledPath(table, turn);
  if (path === null || owner === undefined || other === undefined) return [];
  const [from, key] = [sqlName(owner.table), sqlName(owner.key)];
  const { lists, value } = located(from, jsonSteps(path), dialect);
  const sql = [
    `INSERT INTO ${sqlName(table.name)} (${owner.column}, ${other.column})`,
    `SELECT DISTINCT ${from}.${key}, ${value} FROM ${[from, ...lists].join(", ")}`,
    // SQLite would take ON for a part of the join.
    `WHERE ${path.includes(".") ? `${value} IS NOT NULL` : "TRUE"} ON CONFLICT DO NOTHING`,
  ].join("\n");
  return [{ what: `fill ${table.name} from the lists`, sql }];
}

/** The storage that a table is added to, and the steps of its migration. */
interface Turn {
  readonly model: StorageModel;
  readonly steps: readonly MigrationStep[];
}

/** Where the identifiers stand that a new table of links is filled with: `lines[].product`; null where there are none. */
export function filledPath(table: StoredTable, { model, steps }: Turn): string | null {
  const [owner] = table.foreignKeys;
  if (table.holds !== "links" || owner === undefined) return null;
  const holder = model.tables.find(({ name }) => name === owner.table);
  const path = holder && identifierPaths(holder).find((one) => isAt(one, table.name, owner.table));
  return path === undefined || isNew(path, owner.table, steps) ? null : path;
}

/** Whether a path of identifiers, `lines[].product`, is what a table of links is about. */
function isAt(path: string, links: string, table: string): boolean {
  return linkName(table, path.replaceAll("[]", "")) === links;
}

/** Tables and values that this migration adds are empty yet. */
function isNew(path: string, table: string, steps: readonly MigrationStep[]): boolean {
  return steps.some((step) => {
    if (step.step === "createTable") return step.table.name === table;
    return step.step === "addColumn" && step.table === table && isWithin(path, step.path);
  });
}

/** Where texts stand inside the JSON columns of a table: `watchers[]`, `lines[].product`. */
function identifierPaths({ columns }: StoredTable): readonly string[] {
  return columns.flatMap(({ name, encoding }) => pathsInside(name, encoding));
}

function pathsInside(path: string, { members = [], items }: Encoding): readonly string[] {
  const inside = items === undefined ? [] : endsIn(`${path}[]`, items.encoding);
  return [
    ...inside,
    ...members.flatMap(({ name, encoding }) => endsIn(`${path}.${name}`, encoding)),
  ];
}

function endsIn(path: string, encoding: Encoding): readonly string[] {
  const { form } = encoding;
  return form === "uuid" ? [path] : pathsInside(path, encoding);
}

/** The lists that lead to a value, each joined to what holds it, and the value as a text. */
function located(
  table: string,
  [column = "", ...steps]: readonly string[],
  dialect: SqlDialect,
): { readonly lists: readonly string[]; readonly value: string } {
  let value = `${table}.${sqlName(column)}`;
  const lists: string[] = [];
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (step !== "[]") {
      value = memberOf(value, step, { dialect, isText: isLast });
      continue;
    }
    const item = sqlName(lists.length === 0 ? "item" : `item${lists.length + 1}`);
    lists.push(eachItem(value, item, { dialect, isText: isLast }));
    value = itemText(item);
  }
  return { lists, value };
}
