import { upperFirst } from "../naming/resource-name.js";
import { variableName } from "../naming/variable-name.js";
import { pairsIn, type PairModel } from "./conversion-model.js";
import type { ResourceModel } from "./resource-model.js";

/** The pairs whose types stand in the folder of a resource: those that begin with its version. */
export function ownPairs(resource: ResourceModel): readonly PairModel[] {
  const { conversion, version, isRepresentation } = resource;
  if (isRepresentation) return [];
  return pairsIn(conversion).filter(({ older }) => older.version === version);
}

/** Says whether custom code converts a pair, and not words of the schema. */
export function isCustomPair({ rules }: PairModel): boolean {
  return rules === null;
}

/** `customersV1ToV2`, `customersAddressV1ToV2`: what the file of a pair exports. */
export function pairExport({ entity }: ResourceModel, { name }: PairModel): string {
  return entity.name.collection + upperFirst(name);
}

/** What the pair was called in migrations from before the resource had its name. */
export function formerExports({ entity }: ResourceModel, { name }: PairModel): readonly string[] {
  const former = entity.history.formerPlurals.map((plural) => variableName(plural, "Resource"));
  return former.map((collection) => collection + upperFirst(name));
}
