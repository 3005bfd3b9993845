import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { EntityModel } from "../model/entity-model.js";
import { entityHeader, type HeaderView } from "./header-view.js";
import { importCode } from "./layout.js";
import { besideModule } from "./modules.js";
import { namesView, type NamesView } from "./resource-names.js";

/** What `entity/hooks.ts.hbs` sees. */
export interface HooksView extends HeaderView, NamesView {
  readonly imports: TsCode;
  /** The type of the hooks. */
  readonly hooks: TsCode;
}

/** The extension points of an entity. */
export function hooksView(entity: EntityModel): HooksView {
  const { typeName } = entity.name;
  const type = word(typeName);
  const hooks = genericDoc(ts`EntityHooks`, [type, ts`${type}Properties`, ts`ServiceContext`]);
  return {
    ...entityHeader(entity),
    ...namesView(entity.name),
    imports: importCode([
      { from: "../../kernel/entity/hooks.js", names: ["type EntityHooks"] },
      { from: "../../context.js", names: ["type ServiceContext"] },
      {
        from: besideModule(entity, "entity"),
        names: [`type ${typeName}`, `type ${typeName}Properties`],
      },
    ]),
    hooks: printed(hooks, { before: `export type ${typeName}Hooks = `, after: ";" }),
  };
}
