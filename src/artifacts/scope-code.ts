import { joined, ts, word } from "../naming/code.js";
import { flat, arrowDoc, callDoc, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { EntityModel } from "../model/entity-model.js";
import { constantName } from "../naming/constant-name.js";
import { entityHeader, fileCode } from "./header-view.js";
import { objectCode } from "./layout.js";
import { listAround } from "../model/leaves.js";
import { queriedLeaves } from "./nested.js";
import { imported } from "../naming/imported.js";
import { customPath } from "./modules.js";

/** Words of a condition itself: a property that is called so cannot be compared. */
const TAKEN = ["any", "createdSubject"];

/** The file through which `scope` of custom code is asked, with the paths that its conditions can name (AUT-2). */
export function scopeCode(entity: EntityModel): TsCode {
  const { typeName, collection, singular, plural } = entity.name;
  const compared = queriedLeaves(entity).flatMap((leaf) => {
    const isTaken = TAKEN.includes(leaf.path) || listAround(leaf.path, entity.properties) !== null;
    const filter = isTaken ? null : kindOf(leaf.type).filter(leaf.type);
    return filter === null ? [] : [{ leaf, filter }];
  });
  const paths = ts`${word(typeName)}Paths`;
  const constant = ts`${word(constantName(typeName))}_PATHS`;
  const types = compared.map(
    ({ leaf }) => ts`${key(leaf.path)}: ${kindOf(leaf.type).tsType(leaf.type)}`,
  );
  const filters = compared.map(({ leaf, filter }) => ts`${key(leaf.path)}: ${flat(filter)}`);
  const custom = imported(customPath(entity.name), collection);
  const asked = arrowDoc(ts`(caller)`, callDoc(ts`${custom}.scope`, [ts`caller`]));
  const scope = callDoc(ts`@scopeOf`, [literal(plural), asked, constant]);
  const head = ts`export const ${word(singular)}Scope = `;
  return fileCode(entityHeader(entity), [
    ts`/** The paths that conditions on ${word(plural)} can compare, and by which lists are filtered and sorted. */
export type ${paths} = ${typeCode(types)};`,
    ts`/** The reader of the values of each path. */
const ${constant}: @PathFilters<${paths}> = ${objectCode(filters, { expanded: true })};`,
    ts`/** Selects the ${word(plural)} that custom code shows to a caller (AUT-2). */
${head}${printed(scope, { before: head, after: ";" })};`,
  ]);
}

/** `{ name: string; size: number }`, a line each. */
function typeCode(members: readonly TsCode[]): TsCode {
  if (members.length === 0) return ts`Record<never, never>`;
  return ts`{\n  ${joined(members, ";\n  ")};\n}`;
}
