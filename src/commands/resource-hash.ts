import { sha256 } from "../files/hash.js";
import type { EntityModel } from "../model/entity-model.js";
import { resourceId } from "../model/resource-id.js";
import type { ServiceModel } from "../model/service-model.js";

/** For each resource a hash of everything that its files are made of, by one build of the generator. */
export function resourceHashes(service: ServiceModel): ReadonlyMap<string, string> {
  const common = JSON.stringify({ ...service, entities: [], versions: [] });
  const entities = new Map<EntityModel, string>(
    service.entities.map((entity) => [entity, sha256(JSON.stringify(entity))]),
  );
  const resources = service.versions.flatMap((version) => version.resources);
  return new Map(
    resources.map((resource) => {
      const own = JSON.stringify({ ...resource, entity: entities.get(resource.entity) });
      return [resourceId(resource), sha256(`${common}\n${own}`)];
    }),
  );
}
