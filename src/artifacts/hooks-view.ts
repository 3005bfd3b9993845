import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { namesView, type NamesView } from "./resource-names.js";
import { runtime } from "./runtime-modules.js";

/** What `entity/hooks.ts.hbs` sees. */
export interface HooksView extends HeaderView, NamesView {
  readonly imports: TsCode;
  /** The hooks that are the same for every entity. */
  readonly hooks: TsCode;
  /** There is nothing beside them. */
  readonly isPlain: boolean;
  readonly isExtended: boolean;
  readonly isScoped: boolean;
  readonly isActing: boolean;
}

/** The extension points of an entity. */
export function hooksView(entity: EntityModel): HooksView {
  const { name, isScoped } = entity;
  const { typeName } = name;
  const type = word(typeName);
  const isActing = entity.actions.length > 0;
  const isExtended = isScoped || isActing;
  const hooks = genericDoc(ts`EntityHooks`, [type, ts`${type}Properties`, ts`ServiceContext`]);
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    imports: importCode([
      { from: runtime("auth/scope"), names: isScoped ? ["type ScopeFunction"] : [] },
      { from: runtime("entity/hooks"), names: ["type EntityHooks"] },
      { from: "../../context.js", names: ["type ServiceContext"] },
      {
        from: besideModule(entity, "entity"),
        names: [`type ${typeName}`, `type ${typeName}Properties`],
      },
      { from: besideModule(entity, "actions"), names: isActing ? [`type ${typeName}Actions`] : [] },
      { from: besideModule(entity, "scope"), names: isScoped ? [`type ${typeName}Paths`] : [] },
    ]),
    hooks: isExtended
      ? printed(hooks, { before: `export interface ${typeName}Hooks extends `, after: " {" })
      : printed(hooks, { before: `export type ${typeName}Hooks = `, after: ";" }),
    isPlain: !isExtended,
    isExtended,
    isScoped,
    isActing,
  };
}
