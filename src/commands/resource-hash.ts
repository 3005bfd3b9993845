import { sha256 } from "../files/hash.js";
import type { ServiceModel } from "../model/service-model.js";
import { resourceId } from "../model/resource-id.js";

/** For each resource, a hash of everything that determines its files for one build of the generator. */
export function resourceHashes(service: ServiceModel): ReadonlyMap<string, string> {
  const common = JSON.stringify({ ...service, versions: [] });
  const resources = service.versions.flatMap((version) => version.resources);
  return new Map(
    resources.map((resource) => [
      resourceId(resource),
      sha256(`${common}\n${JSON.stringify(resource)}`),
    ]),
  );
}
