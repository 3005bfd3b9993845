import type { AccessModel } from "../kinds/access-model.js";
import { notImplied, seenFromAfar, seenFromChild } from "../validate/grants.js";
import type { DeclaredResource } from "./declared.js";

/** AUT-2: what those who may delete an entity may do with others; entities are named by their plurals. */
export interface DeletionAccess {
  /** Says whether not everybody who may delete an entity may delete what belongs to it. */
  isChildGuarded(belonging: Belonging): boolean;
  /** Says whether everybody who may delete an entity may read what belongs to it: a refusal can then name that. */
  isChildTold(belonging: Belonging): boolean;
  /** Says likewise whether a refusal can name those that refer to it. */
  isReferrerTold(deleted: string, referrer: string): boolean;
}

/** An entity that goes with another one: its child where the depth is 1, the child of a child where it is 2. */
export interface Belonging {
  readonly deleted: string;
  readonly child: string;
  readonly depth: number;
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
    isChildGuarded: ({ deleted, child, depth }) =>
      deletersOf(deleted).some((deleter) => guards(deleter, resourcesOf(child), depth).length > 0),
    isChildTold: ({ deleted, child, depth }) => isReadByAll(deleted, child, seenFromBelow(depth)),
    isReferrerTold: (deleted, referrer) => isReadByAll(deleted, referrer, seenFromAfar),
  };
}

/**
 * Who may read a child, and who may delete it, each where that is not everybody who may delete its parent by the rules of
 * `deleter` (AUT-2).
 */
export function guards(
  deleter: DeclaredResource,
  children: readonly DeclaredResource[],
  depth: number,
): readonly (readonly string[])[] {
  const child = guardingChild(deleter, children);
  if (child === undefined || child.parent?.takesAlong === true) return [];
  const { read, delete: deletion } = child.access;
  const seen = seenFromBelow(depth);
  return [read, deletion].filter((wanted) => !implies(deleter.access, wanted, seen));
}

/**
 * The resource whose access says who may delete a child: that of the version that deletes its parent, or the newest of
 * those that have it.
 */
export function guardingChild(
  { version }: DeclaredResource,
  children: readonly DeclaredResource[],
): DeclaredResource | undefined {
  return originalIn(version, children) ?? children.findLast((one) => !one.isRepresentation);
}

/** What a grant of an entity is called among those of what belongs to it. */
function seenFromBelow(depth: number): Seen {
  return (grant) => (depth === 0 ? grant : seenFromBelow(depth - 1)(seenFromChild(grant)));
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
