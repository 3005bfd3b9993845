import type { CommonFields } from "../base/common-fields.js";
import type { EntityTable } from "./entity-table.js";

/** The columns of every table that say who created an entity, and who changed it last (ENT-1, ENT-2). */
export const CREATED = ["created_date", "created_subject_id", "created_user_principal_name"];
export const LAST_MODIFIED = CREATED.map((column) => column.replace("created", "last_modified"));

/** The column of every table that says how often a row was written. */
export const REVISION = "row_revision";

/** SQL: reads every column of a table, and what is embedded of others, without a condition. */
export function selectSql<Entity extends CommonFields, Properties>(
  table: EntityTable<Entity, Properties>,
): string {
  const { name, idProperty, written, asText = [], joins = "", joined = [] } = table;
  const own = [idProperty, ...written, ...CREATED, ...LAST_MODIFIED, REVISION].map((column) => {
    const read = `"${name}"."${column}"`;
    return asText.includes(column) ? `CAST(${read} AS TEXT) AS "${column}"` : read;
  });
  return `SELECT ${[...own, ...joined].join(", ")} FROM "${name}"${joins}`;
}
