import type { Backfill } from "#runtime/store/migrations/migration";
import type { ColumnType } from "#runtime/store/storage-model";
import { InternalError } from "../../diagnostics/internal-error.js";
import { sqlText } from "../../naming/encoders.js";
import type { SqlDialect } from "../../storage/sql-dialect.js";

/** A value that a column of a type holds; the digits of a decimal are a text, as they may be more than a number holds. */
export function columnLiteral(backfill: Backfill, type: ColumnType, dialect: SqlDialect): string {
  const value = valueOf(backfill);
  switch (type) {
    case "integer":
    case "real":
      if (!/^-?\d+(\.\d+)?(e[-+]?\d+)?$/.test(String(value))) {
        throw new InternalError(`${String(value)} is not a number`);
      }
      return String(value);
    case "boolean":
      if (dialect === "postgres") return value === true ? "TRUE" : "FALSE";
      return value === true ? "1" : "0";
    default:
      return sqlText(String(value));
  }
}

/** A value that is given and not made by a function. */
export function valueOf(backfill: Backfill): string | number | boolean {
  if ("value" in backfill) return backfill.value;
  throw new InternalError(`the function ${backfill.converted} is not known to the database`);
}
