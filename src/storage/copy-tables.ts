import type { StoredTable } from "#runtime/store/storage-model";
import type { EntityModel } from "../model/entity-model.js";
import { itemsOf, itemTables, makeItemTable, type CopiedPlace } from "./item-tables.js";
import { makeSearchTable, searchedPath, searchTables } from "./search-tables.js";
import type { SqlDialect } from "./sql-dialect.js";
import type { TableStatement } from "./table-statement.js";

/** The tables that are copies of what entities hold: they are made, filled and dropped with what they serve. */
export function copyTables(entity: EntityModel): readonly StoredTable[] {
  return [...searchTables(entity), ...itemTables(entity)];
}

/** What a table is a copy of; null: it is none. */
export function copiedPlace(table: StoredTable): CopiedPlace | null {
  const [owner] = table.foreignKeys;
  const path = searchedPath(table);
  return path === null || owner === undefined ? itemsOf(table) : { ...owner, path };
}

/** The statements that make such a table, with its indexes and triggers. */
export function makeCopyTable(table: StoredTable, dialect: SqlDialect): TableStatement[] {
  const make = table.holds === "items" ? makeItemTable : makeSearchTable;
  return make(table, dialect);
}
