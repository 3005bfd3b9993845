import { ts } from "../naming/code.js";
import { doc, type DocComment } from "../naming/doc-comment.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { AliasModel } from "../model/alias-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { conditionsCode } from "./conditions-code.js";
import { insteadCode } from "./instead-code.js";
import { resourceHeader, type HeaderView } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";
import { resourceNames, type ResourceNamesView } from "./resource-names.js";

/** What `resource/aliases.ts.hbs` sees. */
export interface AliasesView extends HeaderView, ResourceNamesView {
  readonly aliases: readonly AliasView[];
}

interface AliasView {
  readonly documented: boolean;
  readonly doc: DocComment;
  readonly name: TsCode;
  readonly conditions: TsCode;
  readonly sort: TsCode;
}

/** The aliases of a resource that has some (ALI). */
export function aliasesView(resource: ResourceModel): AliasesView {
  return {
    ...resourceHeader(resource),
    ...resourceNames(resource),
    aliases: resource.aliases.map(aliasView),
  };
}

function aliasView({ name, description, conditions, sort }: AliasModel): AliasView {
  const comment = doc(description, 2);
  const keys = sort.map(({ storedPath, descending, instead }) =>
    objectCode([
      ts`path: ${literal(storedPath)}`,
      ts`descending: ${descending}`,
      ...(instead.length === 0 ? [] : [ts`instead: ${insteadCode(instead)}`]),
    ]),
  );
  return {
    documented: comment !== "",
    doc: comment,
    name: key(name),
    conditions: conditionsCode(conditions, { indent: 4, before: "conditions: ", after: "," }),
    sort: arrayCode(keys, { indent: 4, before: "sort: ", after: ",", expanded: keys.length > 1 }),
  };
}
