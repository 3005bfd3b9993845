import type { CommonFields } from "../base/common-fields.js";
import type { EntityParts } from "./entity-parts.js";
import { servedBy, type ServedEntity } from "./entity-service.js";
import { EntityRepository } from "./repository.js";
import type { ServiceRules } from "./repository-rules.js";

/** An entity of a resource without actions, as the service's own code is served it. */
export function servedEntity<Entity extends CommonFields & Properties, Properties>(
  parts: EntityParts<Entity, Properties>,
  rules: ServiceRules<Properties> = {},
): ServedEntity<Entity, Properties> {
  return servedBy(new EntityRepository(parts, rules), parts, rules);
}
