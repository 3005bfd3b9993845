import { sha256 } from "../files/hash.js";
import { partId } from "../model/part-id.js";
import type { ServiceModel } from "../model/service-model.js";

/** For each entity and each resource a hash of everything that its files are made of, by one build of the generator. */
export function partHashes(service: ServiceModel): ReadonlyMap<string, string> {
  const common = JSON.stringify({ ...service, entities: [], versions: [] });
  const hashOf = (part: object): string => sha256(`${common}\n${JSON.stringify(part)}`);
  const entities = service.entities.map((entity) => [partId(entity), hashOf(entity)] as const);
  const known = new Map(entities);
  const resources = service.versions.flatMap((version) => version.resources);
  return new Map([
    ...entities,
    ...resources.map((resource) => {
      const entity = known.get(partId(resource.entity));
      return [partId(resource), hashOf({ ...resource, entity })] as const;
    }),
  ]);
}
