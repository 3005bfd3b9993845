import { templateText } from "../naming/code.js";
import { literal, sqlName, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ReferenceTarget, ReferenceType } from "../kinds/reference/reference-type.js";
import type { EntityModel } from "../model/entity-model.js";
import { clausesText } from "./layout.js";
import { referencesOf } from "../model/references.js";
import { sqlExpression, type SqlPlace } from "../storage/sql-dialect.js";

/** A reference that shows more of the other than its identifier, so that the other's table is read. */
export interface ShowingReference {
  readonly property: PropertyModel;
  readonly type: ReferenceType;
  readonly target: ReferenceTarget;
  /** It has no column that the other's table could be joined by. */
  readonly isLinked: boolean;
}

/** The references of an entity that show more than identifiers. */
export function showingReferences(entity: EntityModel): ShowingReference[] {
  return referencesOf(entity).flatMap(({ property, type, isLinked }) => {
    const { target, embedded } = type;
    return target === null || embedded.length === 0 ? [] : [{ property, type, target, isLinked }];
  });
}

/** Those of them whose tables are joined. */
export function joinedReferences(entity: EntityModel): ShowingReference[] {
  return showingReferences(entity).filter(({ isLinked }) => !isLinked);
}

/** The name of a joined table: no resource has one like it. */
function joinName({ property, target }: Pick<ShowingReference, "property" | "target">): string {
  return `${property.name}_${target.name.table}`;
}

/** `LEFT JOIN "users" AS "requester_users" ON …`, a line each, or two. */
export function joinLines(entity: EntityModel): TsCode {
  const lines = joinedReferences(entity).map((reference) => {
    const { property, target } = reference;
    const other = sqlName(joinName(reference));
    const own = `${sqlName(entity.name.table)}.${sqlName(property.name)}`;
    const on = `${other}.${sqlName(target.name.idProperty)} = ${own}`;
    const join = `LEFT JOIN ${sqlName(target.name.table)} AS ${other}`;
    return clausesText([join, `ON ${on}`], { indent: 4, after: "`," });
  });
  return templateText(lines.join("\n    "));
}

/** What the SELECT reads of the joined tables: `"requester_users"."firstName" AS "requester.firstName"`. */
export function joinedColumns(entity: EntityModel): TsCode[] {
  return joinedReferences(entity).flatMap((reference) =>
    reference.type.embedded.map((embedded) => {
      const column = `${sqlName(joinName(reference))}.${sqlName(embedded.name)}`;
      return literal(kindOf(embedded.type).selected(column, sqlName(embedded.path)));
    }),
  );
}

/** A leaf of an entity, to filter and sort by: a column of its own table, or of a joined one. */
export function leafExpression(leaf: PropertyModel, entity: EntityModel, place: SqlPlace): string {
  const found = referencesOf(entity).find(({ property }) =>
    leaf.path.startsWith(`${property.path}.`),
  );
  if (found === undefined) return sqlExpression(leaf, place);
  const { property, type, isLinked } = found;
  const { target, identifier } = type;
  if (leaf.name === identifier.name || target === null || isLinked) {
    // All that is kept of it, or a list of that.
    const kept = property.type.kind === "array" ? property.type : identifier.type;
    return sqlExpression({ ...identifier, path: property.path, type: kept }, place);
  }
  return `${sqlName(joinName({ property, target }))}.${sqlName(leaf.name)}`;
}

/** Whether a leaf stands in a joined table. */
export function isJoined(entity: EntityModel, { path }: PropertyModel): boolean {
  return joinedReferences(entity).some(({ type }) =>
    type.embedded.some((embedded) => embedded.path === path),
  );
}
