import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/hooks.ts.hbs` sees. */
export interface HooksView extends HeaderView, NamesView {
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
    hooks: isExtended
      ? printed(hooks, { before: `export interface ${typeName}Hooks extends `, after: " {" })
      : printed(hooks, { before: `export type ${typeName}Hooks = `, after: ";" }),
    isPlain: !isExtended,
    isExtended,
    isScoped,
    isActing,
  };
}
