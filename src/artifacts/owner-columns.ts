import { ts } from "../naming/code.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import type { EntityModel, EntityParent } from "../model/entity-model.js";
import type { SqlDialect } from "../storage/sql-dialect.js";
import { objectCode } from "./layout.js";

/** A column of another entity: the references that lead to it, and its name there. */
interface OtherColumn {
  readonly through: readonly EntityParent[];
  readonly column: string;
}

/** The columns of other entities that decide about access: who created the ancestors, and what references lead to (AUT-2). */
export function ownerColumns({ name, ancestors, ownerships, reached }: EntityModel): TsCode[] {
  const created = ownerships.map((ownership): [string, OtherColumn] => {
    const depth = ownership.split(":").length - 1;
    return [ownership, { through: ancestors.slice(0, depth), column: "created_subject_id" }];
  });
  const compared = reached.map(({ path, reference, target, targetPath }): [string, OtherColumn] => {
    const [column = ""] = targetPath.split(".");
    return [path, { through: [{ name: target, property: reference }], column: sqlName(column) }];
  });
  return [...created, ...compared].map(([path, other]) =>
    columnCode(path, sqlName(name.table), other),
  );
}

function columnCode(path: string, table: string, { through, column }: OtherColumn): TsCode {
  const dialects: readonly SqlDialect[] = ["sqlite", "postgres"];
  const listed = dialects.map(
    (dialect) => ts`${key(dialect)}: ${literal(belongs(through, column, dialect, `${table}.`))}`,
  );
  const entries = [
    ts`expression: ${literal(valueOf({ through, column }, table))}`,
    ts`listed: ${objectCode(listed, { indent: 6, expanded: true })}`,
  ];
  const name = key(path);
  return ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`;
}

/** Says of an entity that the last of those to which its references lead has a value. */
function belongs(
  [first, ...others]: readonly EntityParent[],
  column: string,
  dialect: SqlDialect,
  qualifier = "",
): string {
  if (first === undefined) return `${column} = ?`;
  const { name, property } = first;
  const reference = qualifier + sqlName(property);
  const owned = `SELECT ${sqlName(name.idProperty)} FROM ${sqlName(name.table)} WHERE ${belongs(others, column, dialect)}`;
  // PostgreSQL uses no index for IN beside another condition that suffices.
  return dialect === "sqlite"
    ? `${reference} IN (${owned})`
    : `${reference} = ANY (ARRAY(${owned}))`;
}

/** The value itself. */
function valueOf({ through, column }: OtherColumn, table: string): string {
  let found = table;
  for (const [index, { name, property }] of through.entries()) {
    const next = through[index + 1];
    const reference = index === 0 ? `${found}.${sqlName(property)}` : found;
    const wanted = next === undefined ? column : sqlName(next.property);
    found = `(SELECT ${wanted} FROM ${sqlName(name.table)} WHERE ${sqlName(name.idProperty)} = ${reference})`;
  }
  return found;
}
