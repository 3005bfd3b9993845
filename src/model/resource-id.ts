import type { ResourceModel } from "./resource-model.js";

/** Names a resource among those of every version: `v1/tickets`. */
export function resourceId(resource: ResourceModel): string {
  return `${resource.version}/${resource.name.plural}`;
}
