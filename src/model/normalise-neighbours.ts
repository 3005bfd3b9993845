import type { ConditionModel } from "./alias-model.js";
import type { ChildModel, ReferrerModel } from "./relation-model.js";
import type { OfferedAccess, ResourceModel } from "./service-model.js";

/** A resource that has not been told what the others ask of it. */
export type Unrelated = Omit<ResourceModel, "referrers" | "children" | "offeredBy" | "conditioned">;

/**
 * Tells each resource what the others ask of it: who refers to it and what belongs to it, since a deletion has to ask
 * them (CHD-4), and what the conditions of those that represent it name (REP-7).
 */
export function withNeighbours(resources: readonly Unrelated[]): ResourceModel[] {
  const stored = resources.filter(({ represents }) => represents === null);
  const all = stored.flatMap(referrals);
  const referrersOf = (plural: string): ReferrerModel[] =>
    all.filter(({ target }) => target === plural).map(({ referrer }) => referrer);
  return resources.map((resource) => {
    const { plural } = resource.entity;
    const children = stored.flatMap(({ name, parent, states, access }): ChildModel[] => {
      if (parent?.name.plural !== plural) return [];
      const { property, takesAlong: goesAlong } = parent;
      const own = referrersOf(name.plural);
      return [{ name, property, states, access, goesAlong, referrers: own }];
    });
    return {
      ...resource,
      referrers: referrersOf(plural),
      children: referringFirst(children),
      offeredBy: offersOf(resource, resources),
      conditioned: resource.represents === null ? conditionedPaths(plural, resources) : [],
    };
  });
}

interface Referral {
  /** The plural of the resource that is referred to. */
  readonly target: string;
  readonly referrer: ReferrerModel;
}

/** What a resource refers to, but for its parent: that is deleted with it. */
function referrals({ name, access, properties, parent }: Unrelated): Referral[] {
  return properties.flatMap(({ name: property, type, nullable }) => {
    const isList = type.kind === "array";
    const inner = type.kind === "array" ? type.items : type;
    const isOther = inner.kind === "reference" && inner.target !== null;
    if (!isOther || property === parent?.property) return [];
    const { onDelete, target } = inner;
    const own = parent && { property: parent.property, plural: parent.name.plural };
    const isRequired = !isList && !nullable;
    const referrer = { name, access, property, isList, isRequired, onDelete, parent: own };
    return target === null ? [] : [{ target: target.name.plural, referrer }];
  });
}

/** A child goes after those that refer to it; where they do so in a circle, after those that can not let go of it. */
function referringFirst(children: readonly ChildModel[]): readonly ChildModel[] {
  const free = (holds: (referrer: ReferrerModel) => boolean): ChildModel | undefined =>
    children.find((child) => {
      const others = children.filter((other) => other !== child).map(({ name }) => name.plural);
      return !child.referrers.some(
        (referrer) => others.includes(referrer.name.plural) && holds(referrer),
      );
    });
  // No circle is of required references alone (SCH-54).
  const first = free(() => true) ?? free(({ isRequired }) => isRequired);
  if (first === undefined) return children;
  return [first, ...referringFirst(children.filter((child) => child !== first))];
}

/** A table is shared with those that represent it. */
function offersOf(resource: Unrelated, all: readonly Unrelated[]): OfferedAccess[] {
  const { entity, represents } = resource;
  const same =
    represents === null ? all.filter((one) => one.entity.plural === entity.plural) : [resource];
  return same.map(({ access, operations }) => ({ access, operations }));
}

function conditionedPaths(plural: string, resources: readonly Unrelated[]): string[] {
  const conditions = resources
    .filter(({ entity }) => entity.plural === plural)
    .flatMap(conditionsOf);
  return [...new Set(conditions.map(({ path }) => path))].sort();
}

function conditionsOf({ aliases, represents }: Unrelated): readonly ConditionModel[] {
  return [...(represents?.conditions ?? []), ...aliases.flatMap(({ conditions }) => conditions)];
}
