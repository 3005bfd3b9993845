import type { PropertyModel } from "../kinds/property-model.js";
import type { AliasYaml } from "../validate/resource-document.js";
import { normaliseConditions } from "./normalise-conditions.js";
import type { AliasModel, SortModel } from "./alias-model.js";
import { storedPathOf } from "./stored-path.js";

/** The aliases of a resource by name, each with the path that it stands at (ALI-1). */
export function normaliseAliases(
  aliases: Readonly<Record<string, AliasYaml>>,
  properties: readonly PropertyModel[],
  collectionPath: string,
): AliasModel[] {
  return Object.entries(aliases)
    .map(([name, { description = "", where, sort = [] }]) => ({
      name,
      description,
      path: `${collectionPath}/${name}`,
      conditions: normaliseConditions(where, properties),
      sort: sort.map((key) => normaliseSort(key, properties)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function normaliseSort(key: string, properties: readonly PropertyModel[]): SortModel {
  const path = key.replace(/^-/, "");
  return { path, storedPath: storedPathOf(path, properties), descending: key.startsWith("-") };
}
