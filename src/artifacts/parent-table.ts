import { ts, word } from "../naming/code.js";
import { key, literal, sqlName, type TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { objectCode, type Import } from "./layout.js";

/** Who created the parent, where that is asked for (AUT-2). */
export function parentOwnerCode(entity: EntityModel): TsCode[] {
  const { parent, isFilteredByParentCreator, name: own } = entity;
  if (parent === null || !isFilteredByParentCreator) return [];
  const [id, above] = [parent.name.idProperty, parent.name.table].map(sqlName);
  const reference = `${sqlName(own.table)}.${sqlName(parent.property)}`;
  const owned = `SELECT ${id} FROM ${above} WHERE created_subject_id = ?`;
  // PostgreSQL uses no index for IN beside another condition that suffices.
  const listed = [
    ts`sqlite: ${literal(`${reference} IN (${owned})`)}`,
    ts`postgres: ${literal(`${reference} = ANY (ARRAY(${owned}))`)}`,
  ];
  const entries = [
    ts`expression: ${literal(`(SELECT created_subject_id FROM ${above} WHERE ${id} = ${reference})`)}`,
    ts`listed: ${objectCode(listed, { indent: 6, expanded: true })}`,
  ];
  const name = key("parent:owner");
  return [ts`${name}: ${objectCode(entries, { indent: 4, before: `${name}: `, after: "," })}`];
}

/** What it belongs to, where its resources ask something of that (AUT-2). */
export function parentView({ name, parent, isScopedByParent }: EntityModel) {
  if (parent === null || !isScopedByParent) return { isScopedByParent: false, parent: ts`` };
  const reference = `${sqlName(name.table)}.${sqlName(parent.property)}`;
  const entries = [
    ts`reference: ${literal(reference)}`,
    ts`table: ${word(parent.name.singular)}Table`,
  ];
  const around = { indent: 2, before: "parent: ", after: "," };
  return { isScopedByParent, parent: objectCode(entries, around) };
}

/** The table of the parent. */
export function parentImports({ parent, isScopedByParent }: EntityModel): Import[] {
  if (parent === null || !isScopedByParent) return [];
  const { plural, singular } = parent.name;
  return [{ from: `../${plural}/${plural}.store.js`, names: [`${singular}Table`] }];
}
