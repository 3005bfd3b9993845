import type { Plurals } from "../naming/plurals.js";
import { representationSingular } from "../naming/resource-name.js";
import type { SourceDocument } from "../load/source-document.js";
import type { CheckedResource } from "./read-resource.js";
import { own, type Mapping } from "./plain.js";

/** True if a file is a representation (REP-7), even a faulty one. */
export function isRepresentation(document: SourceDocument): boolean {
  return own(document.value, "represents") !== undefined;
}

/** The singular of a representation, as `entity` is for other resources; null if it is unknown. */
export function representedEntity(
  value: Mapping,
  stored: readonly CheckedResource[],
  plurals: Plurals,
): string | null {
  const { resource, represents } = value;
  const original = stored.find((one) => one.value["resource"] === represents);
  const singular = original?.value["entity"];
  if (typeof resource !== "string" || typeof represents !== "string") return null;
  if (typeof singular !== "string") return null;
  return representationSingular(resource, { plural: represents, singular }, (plural) =>
    plurals.singular(plural),
  );
}
