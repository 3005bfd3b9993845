import type { ResourceName } from "../naming/resource-name.js";
import { leavesOf } from "../model/leaves.js";
import type { PropertyModel, ResourceModel, ServiceModel } from "../model/service-model.js";

/** What tables are made of. */
export interface StoredEntity {
  readonly name: ResourceName;
  /** Schema order; their paths are those of what is stored. */
  readonly properties: readonly PropertyModel[];
  /** Paths that queries and conditions name. */
  readonly queried: readonly string[];
  /** AUT-2: some resource shows a caller only what that caller created. */
  readonly isFilteredByCreator: boolean;
}

/** What a service stores, ascending by name. */
export function storedEntities({ versions }: ServiceModel): readonly StoredEntity[] {
  return versions
    .flatMap(({ resources }) => resources)
    .filter(({ represents }) => represents === null)
    .map((resource) => ({
      name: resource.name,
      properties: resource.properties,
      queried: queriedPaths(resource),
      isFilteredByCreator: resource.offeredBy.some(({ access }) => access.read.includes("owner")),
    }));
}

function queriedPaths({ properties, conditioned }: ResourceModel): string[] {
  const named = leavesOf(properties).filter(({ filterable, sortable }) => filterable || sortable);
  return [...new Set([...conditioned, ...named.map(({ path }) => path)])];
}
