import { joined, ts, word } from "../naming/code.js";
import { arrowDoc, callDoc, printed } from "../naming/doc.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import { kindOf } from "../kinds/kinds.js";
import type { EntityModel } from "../model/entity-model.js";
import { constantName } from "../naming/constant-name.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { runtimeModule, runtime } from "./runtime-modules.js";
import { importCode, objectCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { enumsOf, queriedLeaves } from "./nested.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/scope.ts.hbs` sees. */
export interface ScopeView extends HeaderView, NamesView {
  readonly imports: TsCode;
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
  const asked = arrowDoc(ts`(caller)`, callDoc(ts`${word(collection)}.scope`, [ts`caller`]));
  const scope = callDoc(ts`scopeOf`, [
    literal(plural),
    asked,
    ts`${word(constantName(typeName))}_PATHS`,
  ]);
  const before = `export const ${singular}Scope = `;
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    imports: imports(
      entity,
      compared.flatMap(({ filter }) => filter.uses),
    ),
    paths: typeCode(
      compared.map(({ leaf }) => ts`${key(leaf.path)}: ${kindOf(leaf.type).tsType(leaf.type)}`),
    ),
    filters: objectCode(
      compared.map(({ leaf, filter }) => ts`${key(leaf.path)}: ${filter.code}`),
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

function imports(entity: EntityModel, uses: readonly string[]): TsCode {
  const { plural, collection } = entity.name;
  const constants = uses.filter((name) => /^[A-Z]/.test(name));
  const compared = queriedLeaves(entity);
  const types = enumsOf(compared).map(({ type }) => `type ${type.typeName}`);
  return importCode([
    { from: runtime("auth/scope"), names: ["scopeOf"] },
    { from: runtime("query/where"), names: ["type PathFilters"] },
    ...uses
      .filter((name) => !constants.includes(name))
      .map((name) => ({ from: runtime(runtimeModule(name)), names: [name] })),
    { from: `../../../custom/${plural}.js`, names: [collection] },
    { from: besideModule(entity, "entity"), names: [...constants, ...types] },
  ]);
}
