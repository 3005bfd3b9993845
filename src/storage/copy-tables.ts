import type { StoredTable } from "#runtime/store/storage-model";
import type { EntityModel } from "../model/entity-model.js";
import { itemsPath, itemTables, makeItemTable } from "./item-tables.js";
import { makeSearchTable, searchedPath, searchTables } from "./search-tables.js";
import type { SqlDialect } from "./sql-dialect.js";
import type { TableStatement } from "./table-statement.js";

/** The tables that are copies of what entities hold: they are made, filled and dropped with what they serve. */
export function copyTables(entity: EntityModel): readonly StoredTable[] {
  return [...searchTables(entity), ...itemTables(entity)];
}

/** The property that a table is a copy of, by its path; null: it is none. */
export function copiedPath(table: StoredTable): string | null {
  return searchedPath(table) ?? itemsPath(table);
}

/** The statements that make such a table, with its indexes and triggers. */
export function makeCopyTable(table: StoredTable, dialect: SqlDialect): TableStatement[] {
  const make = table.holds === "items" ? makeItemTable : makeSearchTable;
  return make(table, dialect);
}
