import type { ValidatedTree } from "../validate/resource-document.js";
import type { DeclaredResource } from "./declared.js";
import type { ResourceModel } from "./resource-model.js";
import type { VersionModel } from "./service-model.js";
import { headersOf, versionStatus } from "./version-status.js";
import type { PropertyType } from "../kinds/kinds.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { ContractSource } from "../load/contract-source.js";
import { isObject } from "../samples/json.js";

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

/** Says whether the property at a path was a part of the version when it was published. */
type WasPublished = (path: string) => boolean;

/**
 * The properties of a resource, each of which knows whether it was added after its version was published (OPS-4). Of a
 * resource without a frozen contract none was: what it has now is what is published first.
 */
function withAdditions(
  properties: readonly PropertyModel[],
  { version, plural }: { readonly version: string; readonly plural: string },
  contracts: readonly ContractSource[],
): readonly PropertyModel[] {
  const path = `contract/${version}/${plural}.json`;
  const frozen = contracts.find((contract) => contract.path === path)?.value;
  const known = isObject(frozen) ? frozen["properties"] : undefined;
  if (!isObject(known)) return properties;
  const wasPublished: WasPublished = (one) => {
    const fact = Object.hasOwn(known, one) ? known[one] : undefined;
    return isObject(fact) && fact["addedLater"] !== true;
  };
  return properties.map((property) => withAddition(property, wasPublished));
}

function withAddition(property: PropertyModel, wasPublished: WasPublished): PropertyModel {
  const { path, type } = property;
  return { ...property, addedLater: !wasPublished(path), type: withInner(type, wasPublished) };
}

/** The items of a list are whole in every body, whenever their properties were added. */
function withInner(type: PropertyType, wasPublished: WasPublished): PropertyType {
  if (type.kind !== "object") return type;
  const inner = type.properties.map((property) => withAddition(property, wasPublished));
  return { ...type, properties: inner };
}
