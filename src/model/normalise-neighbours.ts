import type { ConditionModel } from "./alias-model.js";
import type { ChildModel, ReferrerModel } from "./relation-model.js";
import type { ResourceModel } from "./service-model.js";

/** A resource that has not been told what the others ask of it. */
export type Unrelated = Omit<ResourceModel, "referrers" | "children" | "conditioned">;

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
    const children = stored.flatMap(({ name, parent, states }): ChildModel[] => {
      if (parent?.name.plural !== plural) return [];
      return [{ name, property: parent.property, states, referrers: referrersOf(name.plural) }];
    });
    return {
      ...resource,
      referrers: referrersOf(plural),
      children: referringFirst(children),
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
function referrals({ name, properties, parent }: Unrelated): Referral[] {
  return properties.flatMap(({ name: property, type }) => {
    const isList = type.kind === "array";
    const inner = type.kind === "array" ? type.items : type;
    const isOther = inner.kind === "reference" && inner.target !== null;
    if (!isOther || property === parent?.property) return [];
    const { onDelete, target } = inner;
    const own = parent && { property: parent.property, plural: parent.name.plural };
    const referrer = { name, property, isList, onDelete, parent: own };
    return target === null ? [] : [{ target: target.name.plural, referrer }];
  });
}

/** A child that refers to another one goes before it. */
function referringFirst(children: readonly ChildModel[]): ChildModel[] {
  const ordered: ChildModel[] = [];
  const visit = (child: ChildModel, path: readonly ChildModel[]): void => {
    if (ordered.includes(child) || path.includes(child)) return;
    const referring = child.referrers.map(({ name }) => name.plural);
    for (const other of children) {
      if (referring.includes(other.name.plural)) visit(other, [...path, child]);
    }
    ordered.push(child);
  };
  for (const child of children) visit(child, []);
  return ordered;
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
