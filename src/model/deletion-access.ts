import type { AccessModel } from "../kinds/access-model.js";
import { notImplied, seenFromAfar, seenFromChild } from "../validate/grants.js";
import type { DeclaredResource } from "./declared.js";

/** AUT-2: what those who may delete an entity may do with others; entities are named by their plurals. */
export interface DeletionAccess {
  /** Says whether not everybody who may delete an entity may delete its children. */
  isChildGuarded(deleted: string, child: string): boolean;
  /** Says whether everybody who may delete an entity may read its children: a refusal can then name them. */
  isChildTold(deleted: string, child: string): boolean;
  /** Says likewise whether a refusal can name those that refer to it. */
  isReferrerTold(deleted: string, referrer: string): boolean;
}

/** The resources that show the entity with a plural, in every version. */
export type ResourcesOf = (plural: string) => readonly DeclaredResource[];

/** Asks the access of all resources; each is compared with those of its own version. */
export function deletionAccess(resourcesOf: ResourcesOf): DeletionAccess {
  const deletersOf = (plural: string): DeclaredResource[] =>
    resourcesOf(plural).filter(({ operations }) => operations.includes("delete"));
  const isReadByAll = (deleted: string, other: string, seen: Seen): boolean =>
    deletersOf(deleted).every(({ version, access }) => {
      const found = originalIn(version, resourcesOf(other));
      return found !== undefined && implies(access, found.access.read, seen);
    });
  return {
    isChildGuarded: (deleted, child) =>
      deletersOf(deleted).some((deleter) => isGuarded(deleter, resourcesOf(child))),
    isChildTold: (deleted, child) => isReadByAll(deleted, child, seenFromChild),
    isReferrerTold: (deleted, referrer) => isReadByAll(deleted, referrer, seenFromAfar),
  };
}

/** Says whether not everybody may delete a child who may delete its parent by the rules of `deleter` (AUT-2). */
export function isGuarded(
  deleter: DeclaredResource,
  children: readonly DeclaredResource[],
): boolean {
  const child = originalIn(deleter.version, children);
  if (child === undefined || child.parent?.takesAlong === true) return false;
  const { read, delete: deletion } = child.access;
  return [read, deletion].some((wanted) => !implies(deleter.access, wanted, seenFromChild));
}

/** The one that shows an entity under its own name. */
function originalIn(
  version: string,
  resources: readonly DeclaredResource[],
): DeclaredResource | undefined {
  return resources.find((one) => one.version === version && !one.isRepresentation);
}

/** What a grant of one resource is called among those of another. */
type Seen = (grant: string) => string;

/** Who deletes something may read it as well. */
function implies(
  { read, delete: deleting }: AccessModel,
  wanted: readonly string[],
  seen: Seen,
): boolean {
  return [read, deleting].some((grants) => notImplied(grants, wanted, seen).length === 0);
}
