import { sha256 } from "../files/hash.js";
import type { ResourceModel, ServiceModel } from "../model/service-model.js";

/** Names a resource among those of every version: `v1/tickets`. */
export function resourceId(resource: ResourceModel): string {
  return `${resource.version}/${resource.name.plural}`;
}

/** A hash of everything that the files of a resource are made of, by one build of the generator. */
export function resourceHash(service: ServiceModel, resource: ResourceModel): string {
  return sha256(JSON.stringify([{ ...service, versions: [] }, resource]));
}
