import type { Plurals } from "../naming/plurals.js";
import type { PropertyObjectYaml } from "../kinds/property-yaml.js";
import type { PropertyPlace } from "./property-place.js";

/** What the rules of a resource need to know of the others of its version. */
export interface Neighbour {
  /** Null where the file does not say it properly. */
  readonly entity: string | null;
  readonly properties: readonly PropertyPlace[];
}

/** The resources of one version that keep objects of their own, by their plural. */
export type Neighbours = ReadonlyMap<string, Neighbour>;

/** The name of the identifier that a reference holds: `userId` (REP-4). */
export function referenceIdentifier(
  { reference = "", entity }: PropertyObjectYaml,
  neighbours: Neighbours,
  plurals: Plurals,
): string {
  const singular = entity ?? neighbours.get(reference)?.entity ?? plurals.singular(reference);
  return `${singular}Id`;
}

/** The properties of a resource with the reference to its parent, which need not be declared (CHD-2). */
export function withParentReference(
  parent: unknown,
  properties: readonly PropertyPlace[],
  neighbours: Neighbours,
): readonly PropertyPlace[] {
  const entity = typeof parent === "string" ? neighbours.get(parent)?.entity : null;
  if (typeof parent !== "string" || entity === undefined || entity === null) return properties;
  if (properties.some(({ name, holders }) => holders.length === 0 && name === entity)) {
    return properties;
  }
  const yaml = { reference: parent };
  const place = { name: entity, path: ["parent"], yaml, kind: "reference" } as const;
  return [{ ...place, holders: [], isItem: false }, ...properties];
}

/** The property of the other that a reference may embed, or undefined. */
export function embeddable(
  { reference = "" }: PropertyObjectYaml,
  name: string,
  neighbours: Neighbours,
): PropertyPlace | undefined {
  const properties = neighbours.get(reference)?.properties ?? [];
  return properties.find((property) => property.holders.length === 0 && property.name === name);
}
