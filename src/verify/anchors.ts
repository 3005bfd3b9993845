import type { PropertyModel } from "../kinds/property-model.js";
import { innerType } from "../model/leaves.js";
import type { ResourceModel } from "../model/resource-model.js";
import type { JsonObject } from "../samples/json.js";

/** The entities that a session makes for references to lead to, by the plural of their resource. */
export class Anchors {
  private readonly all = new Map<string, readonly JsonObject[]>();
  /** The version that shows them as they are here. */
  private readonly versions = new Map<string, string>();
  private readonly refusals = new Map<string, string>();

  /** Undefined where none was looked for yet. */
  known(plural: string): readonly JsonObject[] | undefined {
    return this.all.get(plural);
  }

  /** Those of a resource; [] where there are none. */
  of(plural: string): readonly JsonObject[] {
    return this.all.get(plural) ?? [];
  }

  /** Remembers what was made, or found, of a resource, as a version shows it. */
  keep(plural: string, entities: readonly JsonObject[], version: string): void {
    this.all.set(plural, entities);
    this.versions.set(plural, version);
  }

  /** Remembers why nothing may refer to what was made of a resource. */
  refuse(plural: string, reason: string): void {
    this.refusals.set(plural, reason);
  }

  /** Why nothing may refer to what was made for a resource; none: it may. */
  refusedFor(resource: ResourceModel): readonly string[] {
    return referredBy(resource).flatMap((plural) => this.refusals.get(plural) ?? []);
  }

  /** Whether those of a resource are as a version shows them. */
  isShownBy(version: string, plural: string): boolean {
    return this.versions.get(plural) === version;
  }

  /** Whether references of later bodies may lead to the entity at a path. */
  has(path: string): boolean {
    const id = path.slice(path.lastIndexOf("/") + 1);
    return [...this.all.values()].flat().some((anchor) => Object.values(anchor).includes(id));
  }

  /** What an entity has to refer to, and nobody could make; null where there is no such thing, or it was not tried yet. */
  lackingFor({ properties }: Pick<ResourceModel, "properties">): string | null {
    const needed = targetsOf(properties, isNeeded);
    return needed.find((plural) => this.all.get(plural)?.length === 0) ?? null;
  }
}

/** Whether no entity can be without a value. */
export function isNeeded({ nullable, type }: PropertyModel): boolean {
  return type.kind === "array" ? type.minItems > 0 : !nullable;
}

/** The plurals of the resources that the bodies of a resource refer to, those of its actions as well (OPS-11). */
export function referredBy({
  properties,
  actions,
}: Pick<ResourceModel, "properties" | "actions">): readonly string[] {
  return targetsOf([...properties, ...actions.flatMap(({ input }) => input.properties)]);
}

/** The plurals of the resources that properties refer to, at any depth. */
export function targetsOf(
  properties: readonly PropertyModel[],
  isWanted: (property: PropertyModel) => boolean = () => true,
): readonly string[] {
  return properties.filter(isWanted).flatMap(({ type }) => {
    const inner = innerType(type);
    if (inner.kind === "object") return targetsOf(inner.properties, isWanted);
    return inner.kind === "reference" && inner.target !== null ? [inner.target.name.plural] : [];
  });
}
