import type { ReferrerModel, ResourceModel } from "./service-model.js";

/** Tells each resource who refers to it: a deletion has to ask them (CHD-4). */
export function withReferrers(resources: readonly Unreferred[]): ResourceModel[] {
  const all = resources.flatMap(referrals);
  return resources.map((resource) => ({
    ...resource,
    referrers: all
      .filter(({ target }) => target === resource.name.plural)
      .map(({ referrer }) => referrer),
  }));
}

/** A resource that has not been told yet. */
export type Unreferred = Omit<ResourceModel, "referrers">;

interface Referral {
  /** The plural of the resource that is referred to. */
  readonly target: string;
  readonly referrer: ReferrerModel;
}

function referrals({ name, properties }: Unreferred): Referral[] {
  return properties.flatMap(({ name: property, type }) => {
    const isList = type.kind === "array";
    const inner = type.kind === "array" ? type.items : type;
    if (inner.kind !== "reference" || inner.target === null) return [];
    const { onDelete, target } = inner;
    return [{ target: target.name.plural, referrer: { name, property, isList, onDelete } }];
  });
}
