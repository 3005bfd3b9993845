import type { ResourceModel } from "../model/resource-model.js";

/** The resource whose objects a representation shows. */
export function originalOf(
  { isRepresentation, entity, version }: ResourceModel,
  resources: readonly ResourceModel[],
): ResourceModel | undefined {
  return resources.find(
    (one) =>
      isRepresentation &&
      !one.isRepresentation &&
      one.version === version &&
      one.entity.name.plural === entity.name.plural,
  );
}
