import { joined, ts, word } from "../naming/code.js";
import { flat, arrowDoc, callDoc, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { EntityModel } from "../model/entity-model.js";
import { constantName } from "../naming/constant-name.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { objectCode } from "./layout.js";
import { queriedLeaves } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";
import { imported } from "../naming/imported.js";

/** What `entity/scope.ts.hbs` sees. */
export interface ScopeView extends HeaderView, NamesView {
  /** The type of what can be compared at each path. */
  readonly paths: TsCode;
  readonly filters: TsCode;
  /** The scope, as its function gives it. */
  readonly scope: TsCode;
}

/** Words of a condition itself: a property that is called so cannot be compared. */
const TAKEN = ["any", "createdSubject"];

/** What `scope` of the service's own code is asked, and what it can answer (AUT-2). */
export function scopeView(entity: EntityModel): ScopeView {
  const { typeName, collection, singular, plural } = entity.name;
  const compared = queriedLeaves(entity).flatMap((leaf) => {
    const filter = TAKEN.includes(leaf.path) ? null : kindOf(leaf.type).filter(leaf.type);
    return filter === null ? [] : [{ leaf, filter }];
  });
  const asked = arrowDoc(
    ts`(caller)`,
    callDoc(ts`${imported(`src/custom/${plural}.ts`, collection)}.scope`, [ts`caller`]),
  );
  const scope = callDoc(ts`@scopeOf`, [
    literal(plural),
    asked,
    ts`${word(constantName(typeName))}_PATHS`,
  ]);
  const before = `export const ${singular}Scope = `;
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    paths: typeCode(
      compared.map(({ leaf }) => ts`${key(leaf.path)}: ${kindOf(leaf.type).tsType(leaf.type)}`),
    ),
    filters: objectCode(
      compared.map(({ leaf, filter }) => ts`${key(leaf.path)}: ${flat(filter)}`),
      { expanded: true },
    ),
    scope: printed(scope, { before, after: ";" }),
  };
}

/** `{ name: string; size: number }`, a line each. */
function typeCode(members: readonly TsCode[]): TsCode {
  if (members.length === 0) return ts`Record<never, never>`;
  return ts`{\n  ${joined(members, ";\n  ")};\n}`;
}
