import { grantsOf, tieOf } from "../kinds/access-model.js";
import type { PropertyModel } from "../kinds/property-model.js";
import type { DeclaredResource } from "./declared.js";
import { storedPathOf } from "./projection.js";
import type { StoredEquality } from "./resource-model.js";

/** AUT-2: tells resources where the properties are stored that their grants compare; `originals` are those of the version. */
export function withEqualities(
  resources: readonly DeclaredResource[],
  originals: readonly DeclaredResource[],
): readonly DeclaredResource[] {
  return resources.map((resource) => ({
    ...resource,
    equalities: storedEqualities(resource, originals),
  }));
}

function storedEqualities(
  resource: DeclaredResource,
  originals: readonly DeclaredResource[],
): readonly StoredEquality[] {
  const acting = resource.actions.flatMap(({ access }) => access);
  const grants = new Set([...grantsOf(resource.access), ...acting]);
  return [...grants].flatMap((grant) => {
    const tie = tieOf(grant);
    if (tie === null || typeof tie.by === "string") return [];
    const { depth, by } = tie;
    const holder = ancestorAt(depth, resource, originals);
    const found = holder && storedProperty(by.property, holder, originals);
    if (found === undefined) return [];
    const end = by.claim === null ? `owner:${found.path}` : `equals:${found.path}=${by.claim}`;
    return [{ grant, storedGrant: "parent:".repeat(depth) + end, depth, ...found }];
  });
}

/** The resource that shows an entity or an ancestor of it under its own name. */
function ancestorAt(
  depth: number,
  { entity }: DeclaredResource,
  originals: readonly DeclaredResource[],
): DeclaredResource | undefined {
  const own = originals.find((one) => one.entity.plural === entity.plural);
  if (depth === 0 || own === undefined) return own;
  const above = originals.find(({ name }) => name.plural === own.parent?.name.plural);
  return above && ancestorAt(depth - 1, above, originals);
}

function storedProperty(
  path: string,
  { properties, projection }: DeclaredResource,
  originals: readonly DeclaredResource[],
): Pick<StoredEquality, "path" | "through"> | undefined {
  const [first = "", second] = path.split(".");
  const property = properties.find(({ name }) => name === first);
  if (property === undefined) return undefined;
  if (second === undefined)
    return { path: storedPathOf(comparedPath(property), projection), through: null };
  const plural = property.type.kind === "reference" ? property.type.target?.storedPlural : null;
  const target = originals.find(({ entity }) => entity.plural === plural);
  const found = target && storedProperty(second, target, originals);
  if (target === undefined || found === undefined) return undefined;
  const reference = storedPathOf(first, projection);
  const through = { reference, target: target.entity, path: found.path };
  return { path: `${reference}.${found.path}`, through };
}

/** The path of a text, or of the identifier of an external reference. */
function comparedPath({ path, type }: PropertyModel): string {
  return type.kind === "reference" ? type.identifier.path : path;
}
