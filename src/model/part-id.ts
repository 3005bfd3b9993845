import type { EntityModel } from "./entity-model.js";
import type { ResourceModel } from "./resource-model.js";

/** Names a resource among those of every version, `v1/tickets`, or an entity: `entities/tickets`. */
export function partId(part: EntityModel | ResourceModel): string {
  const folder = "version" in part ? part.version : "entities";
  return `${folder}/${part.name.plural}`;
}
