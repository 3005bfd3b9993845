import type { OwnPair } from "../artifacts/custom-conversion-view.js";
import { sha256 } from "../files/hash.js";
import type { EntityModel } from "../model/entity-model.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { ServiceModel, VersionModel } from "../model/service-model.js";

/** Hashes of what artifacts are made of; what several of them read is hashed once. */
export class InputHashes {
  private readonly known = new WeakMap<object, string>();

  /** Of the whole model. */
  service(service: ServiceModel): string {
    return this.once(service, () => ({
      ...service,
      entities: service.entities.map((entity) => this.entity(entity)),
      versions: service.versions.map((version) => this.version(version)),
    }));
  }

  /** Of a version with all that its resources show. */
  version(version: VersionModel): string {
    return this.once(version, () => ({
      ...version,
      resources: version.resources.map((resource) => this.resource(resource)),
    }));
  }

  /** Of a resource and of the entity that it shows. */
  resource(resource: ResourceModel): string {
    return this.once(resource, () => ({ ...resource, entity: this.entity(resource.entity) }));
  }

  /** Of what own code converts of a resource. */
  ownPair(own: OwnPair): string {
    return this.once(own, () => [this.resource(own.resource), own.pair.name]);
  }

  /** Of a value that holds none of these. */
  value(value: object): string {
    return this.once(value, () => value);
  }

  /** Of what is stored. */
  entity(entity: EntityModel): string {
    return this.once(entity, () => entity);
  }

  private once(of: object, content: () => object): string {
    const found = this.known.get(of);
    if (found !== undefined) return found;
    // Half of it: no two inputs of a project have the same by chance.
    const hash = sha256(JSON.stringify(content())).slice(0, 32);
    this.known.set(of, hash);
    return hash;
  }
}
