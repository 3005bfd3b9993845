import { ts, word } from "../naming/code.js";
import { genericDoc, printed } from "../naming/doc.js";
import type { TsCode } from "../naming/encoders.js";
import type { ResourceModel } from "../model/resource-model.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { importCode } from "./layout.js";
import { dtoModule, resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/hooks.ts.hbs` sees. */
export interface HooksView extends HeaderView, ResourceNamesView {
  readonly imports: TsCode;
  /** The type of the hooks. */
  readonly hooks: TsCode;
}

/** The extension points of a resource. */
export function hooksView(resource: ResourceModel): HooksView {
  const { typeName } = resource.name;
  const type = word(typeName);
  const hooks = genericDoc(ts`EntityHooks`, [type, ts`${type}Properties`, ts`ServiceStores`]);
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    imports: importCode([
      { from: "../../kernel/entity/hooks.js", names: ["type EntityHooks"] },
      { from: "../../stores.js", names: ["type ServiceStores"] },
      { from: dtoModule(resource), names: [`type ${typeName}`, `type ${typeName}Properties`] },
    ]),
    hooks: printed(hooks, { before: `export type ${typeName}Hooks = `, after: ";" }),
  };
}
