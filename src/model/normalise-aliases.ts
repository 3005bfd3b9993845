import type { AliasYaml, ServiceYaml } from "../validate/resource-document.js";
import { normaliseConditions } from "./normalise-conditions.js";
import type { AliasModel, SortModel } from "./alias-model.js";
import { insteadAt, storedPathOf, type Projection } from "./projection.js";
import type { ResourceModel } from "./resource-model.js";

/** The aliases of a resource by name, each with the path that it stands at (ALI-1). */
export function normaliseAliases(
  { aliases = {} }: { readonly aliases?: Readonly<Record<string, AliasYaml>> },
  { properties, projection, path }: Pick<ResourceModel, "properties" | "projection" | "path">,
  service: Pick<ServiceYaml, "timeZone">,
): AliasModel[] {
  return Object.entries(aliases)
    .map(([name, { description = "", where = {}, sort = [] }]) => ({
      name,
      description,
      path: `${path}/${name}`,
      conditions: normaliseConditions(where, { properties, projection }, service),
      sort: sort.map((key) => normaliseSort(key, projection)),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function normaliseSort(key: string, projection: Projection): SortModel {
  const path = key.replace(/^-/, "");
  return {
    path,
    storedPath: storedPathOf(path, projection),
    instead: insteadAt(path, projection),
    descending: key.startsWith("-"),
  };
}
