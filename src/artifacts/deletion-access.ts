import { notImplied, seenFromAfar, seenFromChild } from "../validate/grants.js";
import type { ChildModel, ReferrerModel } from "../model/relation-model.js";
import type { AccessModel, ResourceModel } from "../model/service-model.js";

/** Says whether not everybody may delete the children who may delete their parent by these rules (AUT-2). */
export function isGuarded(deleter: AccessModel, { access, goesAlong }: ChildModel): boolean {
  if (goesAlong) return false;
  const isAllowed = (wanted: readonly string[]): boolean => implies(deleter, wanted, seenFromChild);
  return !isAllowed(access.read) || !isAllowed(access.delete);
}

/** The children of a resource that its deletion has to ask for. */
export function guardedChildren({ access, operations, children }: ResourceModel): ChildModel[] {
  if (!operations.includes("delete")) return [];
  return children.filter((child) => isGuarded(access, child));
}

/** Says whether everybody who may delete an entity may read its children: a refusal can then name them. */
export function isChildTold(resource: ResourceModel, { access }: ChildModel): boolean {
  return deletersOf(resource).every((deleter) => implies(deleter, access.read, seenFromChild));
}

/** Says likewise whether a refusal can name those that refer to it. */
export function isReferrerTold(resource: ResourceModel, { access }: ReferrerModel): boolean {
  return deletersOf(resource).every((deleter) => implies(deleter, access.read, seenFromAfar));
}

/** The rules by which its entities can be deleted: its own, and those of what represents it. */
export function deletersOf({ offeredBy }: ResourceModel): AccessModel[] {
  return offeredBy
    .filter(({ operations }) => operations.includes("delete"))
    .map(({ access }) => access);
}

/** Who deletes something may read it as well. */
function implies(
  { read, delete: deleting }: AccessModel,
  wanted: readonly string[],
  seen: (grant: string) => string,
): boolean {
  return [read, deleting].some((grants) => notImplied(grants, wanted, seen).length === 0);
}
