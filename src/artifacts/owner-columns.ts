import { ts } from "../naming/code.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import type { EntityModel, EntityParent } from "../model/entity-model.js";
import type { SqlDialect } from "../storage/sql-dialect.js";
import { objectCode } from "./layout.js";

/** Who created the ancestors of an entity, where that is asked for (AUT-2). */
export function ownerColumns({ name: own, ancestors, ownerships }: EntityModel): TsCode[] {
  return ownerships.map((ownership) => {
    const depth = ownership.split(":").length - 1;
    return ownerColumn(ownership, sqlName(own.table), ancestors.slice(0, depth));
  });
}

function ownerColumn(ownership: string, table: string, above: readonly EntityParent[]): TsCode {
  const dialects: readonly SqlDialect[] = ["sqlite", "postgres"];
  const listed = dialects.map(
    (dialect) => ts`${key(dialect)}: ${literal(belongs(above, dialect, `${table}.`))}`,
  );
  const entries = [
    ts`expression: ${literal(creatorOf(above, table))}`,
    ts`listed: ${objectCode(listed, { indent: 6, expanded: true })}`,
  ];
  const name = key(ownership);
  return ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`;
}

/** Says of an entity that the caller has created the last of those above it. */
function belongs(
  [first, ...others]: readonly EntityParent[],
  dialect: SqlDialect,
  qualifier = "",
): string {
  if (first === undefined) return "created_subject_id = ?";
  const { name, property } = first;
  const reference = qualifier + sqlName(property);
  const owned = `SELECT ${sqlName(name.idProperty)} FROM ${sqlName(name.table)} WHERE ${belongs(others, dialect)}`;
  // PostgreSQL uses no index for IN beside another condition that suffices.
  return dialect === "sqlite"
    ? `${reference} IN (${owned})`
    : `${reference} = ANY (ARRAY(${owned}))`;
}

/** Who has created it. */
function creatorOf(above: readonly EntityParent[], table: string): string {
  let found = table;
  for (const [index, { name, property }] of above.entries()) {
    const next = above[index + 1];
    const reference = index === 0 ? `${found}.${sqlName(property)}` : found;
    const wanted = next === undefined ? "created_subject_id" : sqlName(next.property);
    found = `(SELECT ${wanted} FROM ${sqlName(name.table)} WHERE ${sqlName(name.idProperty)} = ${reference})`;
  }
  return found;
}
