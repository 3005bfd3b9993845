import { pluralsOf } from "../naming/plurals.js";
import type { AccessModel } from "../kinds/access-model.js";
import type {
  ResourceDocument,
  ResourceYaml,
  ValidatedTree,
} from "../validate/resource-document.js";
import { tenantOf } from "../validate/tenants.js";
import { normaliseAccess } from "./normalise-authentication.js";
import type { Inherited } from "./normalise-operations.js";
import type { NeighbourModels } from "./normalise-property.js";
import type { Surroundings } from "./normalise-resource.js";

/** The resources of one version that keep objects of their own. */
export function documentsOf(name: string, tree: ValidatedTree): readonly ResourceDocument[] {
  return tree.resources.filter(({ version }) => version === name);
}

/** What a resource takes over from the service, and can ask of the others of its version. */
export function surroundings(
  documents: readonly ResourceDocument[],
  inherited: Inherited,
  stored: StoredName = asCalled,
): Surroundings {
  const yamls = documents.map(({ value }) => value);
  return { ...inherited, neighbours: neighbourModels(yamls, inherited, stored) };
}

/** What the newest version calls a resource of this one. */
type StoredName = (plural: string) => string;

const asCalled: StoredName = (plural) => plural;

/** What a resource can ask of the others of its version. */
export function neighbourModels(
  resources: readonly ResourceYaml[],
  { service, authentication }: Inherited,
  stored: StoredName = asCalled,
): NeighbourModels {
  const found = new Map(resources.map((value) => [value.resource, value]));
  const { singular } = pluralsOf(service.inflections ?? {});
  const accessOf = ({ access, owner, parent = "" }: ResourceYaml): AccessModel => {
    const above = found.get(parent);
    const around = { owner, parent: above === undefined ? null : accessOf(above), original: null };
    return normaliseAccess(access, authentication, around);
  };
  return {
    find: (plural) => {
      const yaml = found.get(plural);
      if (yaml === undefined) return null;
      const tenant = tenantOf(yaml, service.tenant, (above) => found.get(above));
      return { yaml, storedPlural: stored(plural), access: accessOf(yaml), tenant };
    },
    singular,
  };
}
