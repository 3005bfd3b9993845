import { ts, word } from "../naming/code.js";
import { literal, sqlName } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { objectCode, type Import } from "./layout.js";

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
