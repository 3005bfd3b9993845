import type { ValidatedTree } from "../validate/resource-document.js";
import { withAdditions } from "./added-later.js";
import type { DeclaredResource } from "./declared.js";
import type { ResourceModel } from "./resource-model.js";
import type { VersionModel } from "./service-model.js";
import { headersOf, versionStatus } from "./version-status.js";

/** A resource before it is known what its version has become. */
export type Unpromised = Omit<ResourceModel, "versionHeaders">;

/** A version with its status, and its resources with what follows from it: what was added later, and what answers carry (VER-4). */
export function promisedVersion(
  { name, resources }: { readonly name: string; readonly resources: readonly DeclaredResource[] },
  { service, contracts }: Pick<ValidatedTree, "service" | "contracts">,
  whole: (resource: DeclaredResource) => Unpromised,
): VersionModel {
  const status = versionStatus(name, service.value);
  if (status.status === "retired") return { ...status, resources: [] };
  const versionHeaders = headersOf(status);
  return {
    ...status,
    resources: resources.map((declared) => {
      const resource = whole(declared);
      const place = { version: name, plural: resource.name.plural };
      const properties = withAdditions(resource.properties, place, contracts);
      return { ...resource, properties, versionHeaders };
    }),
  };
}
