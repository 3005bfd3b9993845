import { joined, ts, word } from "../naming/code.js";
import { doc } from "../naming/doc-comment.js";
import { key, literal, type TsCode } from "../naming/encoders.js";
import type { AliasModel } from "../model/alias-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import { conditionsCode } from "./conditions-code.js";
import { insteadCode } from "./instead-code.js";
import { fileCode, resourceHeader } from "./header-view.js";
import { arrayCode, objectCode } from "./layout.js";

/** The file of the aliases of a resource that has some (ALI). */
export function aliasesCode(resource: ResourceModel): TsCode {
  const { aliases, name } = resource;
  return fileCode(resourceHeader(resource), [
    ts`/** The searches among ${word(name.plural)} that have a path of their own (ALI). */
export const ${word(name.singular)}Aliases = {
${joined(aliases.map(aliasCode), "\n")}
} as const satisfies Record<string, @CollectionAlias>;`,
  ]);
}

function aliasCode({ name, description, conditions, sort }: AliasModel): TsCode {
  const keys = sort.map(({ storedPath, descending, instead }) =>
    objectCode([
      ts`path: ${literal(storedPath)}`,
      ts`descending: ${descending}`,
      ...(instead.length === 0 ? [] : [ts`instead: ${insteadCode(instead)}`]),
    ]),
  );
  const around = { indent: 4, after: "," };
  const expanded = keys.length > 1;
  const comment = doc(description, 2);
  return ts`${comment === "" ? comment : ts`  ${comment}\n`}  ${key(name)}: {
    conditions: ${conditionsCode(conditions, { ...around, before: "conditions: " })},
    sort: ${arrayCode(keys, { ...around, before: "sort: ", expanded })},
  },`;
}
