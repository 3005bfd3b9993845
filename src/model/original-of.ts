import type { ResourceModel } from "./resource-model.js";

/** The resource that shows the same entities under their own name, in the same version: for all but representations, itself. */
export function originalOf(
  { entity, version }: ResourceModel,
  resources: readonly ResourceModel[],
): ResourceModel | undefined {
  return resources.find(
    (one) => !one.isRepresentation && one.entity === entity && one.version === version,
  );
}
