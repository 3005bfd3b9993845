import type { ColumnBounds, StoredTable } from "#runtime/store/storage-model";
import { sqlName } from "../../naming/encoders.js";
import { nameOf } from "../../storage/sql-names.js";
import type { TextRule } from "../conversions.js";
import { schemaPath } from "../paths.js";
import { jsonSteps } from "./json-sql.js";
import type { Origin } from "./origins.js";
import type { Statement } from "./statement.js";

/** The rules that are new. */
export function newRules(before: ColumnBounds, after: ColumnBounds): readonly TextRule[] {
  return (["format", "pattern"] as const).flatMap((name) => {
    const bound = after[name];
    return bound === undefined || bound === before[name] ? [] : [{ name, bound: String(bound) }];
  });
}

/** Looks at values as they are before a migration: what makes texts of others leaves them as they are written. */
export function readCheck(
  { table: name, path }: { readonly table: string; readonly path: string },
  was: StoredTable,
  origin: Origin,
  { name: bound, bound: value }: TextRule,
): Statement {
  const [column = "", ...inside] = jsonSteps(origin.path);
  const rule = { [bound]: value, ...(inside.length > 0 && { path: inside }) };
  const [id, held] = [sqlName(was.primaryKey[0] ?? ""), sqlName(column)];
  const wanted = bound === "format" ? `the format ${value}` : "its pattern";
  return {
    kind: "read",
    what: `rows of ${name} whose ${schemaPath(path)} does not have ${wanted}`,
    sql: `-- ${JSON.stringify(rule)}\nSELECT ${id} AS "id", ${held} AS "value" FROM ${nameOf(was, was.name)} WHERE ${held} IS NOT NULL`,
  };
}
