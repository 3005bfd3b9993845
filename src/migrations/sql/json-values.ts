import { sqlText } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";

/** In which database a value is read, and whether as a text rather than as JSON. */
interface Reading {
  readonly dialect: SqlDialect;
  readonly isText: boolean;
}

/** A member of an object that stands in a JSON text. */
export function memberOf(value: string, name: string, { dialect, isText }: Reading): string {
  const arrow = isText ? "->>" : "->";
  const member = sqlText(name);
  return dialect === "sqlite"
    ? `(${value} ${arrow} ${member})`
    : `(CAST(${value} AS jsonb) ${arrow} ${member})`;
}

/** The items of a list that stands in a JSON text, as a table. */
export function eachItem(value: string, name: string, { dialect, isText }: Reading): string {
  if (dialect === "sqlite") return `json_each(${value}) AS ${name}`;
  const items = isText ? "jsonb_array_elements_text" : "jsonb_array_elements";
  return `${items}(CAST(${value} AS jsonb)) AS ${name} ("value")`;
}

/** An item of such a table. */
export function itemText(name: string): string {
  return `${name}."value"`;
}
