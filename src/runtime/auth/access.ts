/** Access rules of resources (AUT-2): the grants of a caller, and their filters. */

import type { CommonFields } from "../base/common-fields.js";
import { forbidden, unauthorized } from "../base/errors.js";
import type { Filter } from "../query/query.js";
import type { Caller } from "./authentication.js";
import {
  isTie,
  tiedFilters,
  type Asker,
  type Scopes,
  type Tie,
  anyGiven,
  isAbove,
  seenFromParent,
  tieFilters,
  type GivenFilters,
} from "./ownership.js";

/** A condition of access: none, a valid token, a role, or a tie to the entity. */
type Grant = "anyone" | "authenticated" | Tie | `role:${string}`;

/** A grant that does not depend on the entity. */
export type CallerGrant = Exclude<Grant, Tie>;

/** The grants of each operation on the entities of a resource. One grant of a list suffices (AUT-2). */
export interface AccessRules {
  /** Reads of one entity and of lists. */
  readonly read: readonly Grant[];
  readonly create: readonly Grant[];
  /** PUT and PATCH. */
  readonly update: readonly Grant[];
  readonly delete: readonly Grant[];
  /** The scopes of `custom`, and those of the parent for `parent:custom`. Defaults to none. */
  readonly scopes?: Scopes;
}

export type AccessOperation = Exclude<keyof AccessRules, "scopes">;

/** The rules of a resource that is open to anyone. */
export const OPEN: AccessRules = {
  read: ["anyone"],
  create: ["anyone"],
  update: ["anyone"],
  delete: ["anyone"],
};

/** The entities that a caller may use an operation on: all, or the ones with any of these ties. */
export type Reach = "all" | readonly Tie[];

const ROLE = "role:";
const NONE: readonly Tie[] = [];
const UNFILTERED: readonly Filter[] = [];

/**
 * Refuses requests that no entity could allow, before the request is read. Throws 401 if the caller is anonymous, otherwise
 * 403. Refusals that depend on the entity follow later.
 */
export function checkEntry(
  rules: AccessRules,
  operation: AccessOperation,
  isAddressed: boolean,
  caller: Caller,
): void {
  if (rules === OPEN) return;
  const reach = reachOf(rules[operation], caller);
  const visible = isAddressed ? reachOf(rules.read, caller) : reach;
  if (caller.isAnonymous && (isNothing(reach) || isNothing(visible))) throw unauthorized();
  if (isNothing(reach) && !isAddressed) throw forbidden();
}

/** Refuses a caller without any of the grants. Throws 401 if the caller is anonymous, otherwise 403. */
export function checkCaller(grants: readonly CallerGrant[], caller: Caller): void {
  if (reachOf(grants, caller) === "all") return;
  throw caller.isAnonymous ? unauthorized() : forbidden();
}

/** Returns the filters of the entities that the caller may read. Null means none. */
export function visibleFilters(rules: AccessRules, asker: Asker): readonly Filter[] | null {
  if (rules === OPEN) return UNFILTERED;
  const reach = reachOf(rules.read, asker.caller);
  return reach === "all" ? UNFILTERED : tiedFilters(reach, rules.scopes ?? {}, asker);
}

/** Throws 403 if the caller may see but not change an entity. Returns filters that the store must check on the entity. */
export function checkChange(
  rules: AccessRules,
  operation: "update" | "delete",
  entity: CommonFields,
  asker: Asker,
): readonly Filter[] {
  if (rules === OPEN) return UNFILTERED;
  const { caller } = asker;
  const reach = reachOf(rules[operation], caller);
  if (reach === "all") return UNFILTERED;
  if (reach.includes("owner") && isOwn(entity, caller)) return UNFILTERED;
  const others = reach.filter((tie) => tie !== "owner");
  const filters = tiedFilters(others, rules.scopes ?? {}, asker);
  if (filters === null) throw forbidden();
  return filters;
}

/** Reports whether the caller has created an entity. Entities of anonymous callers have no owner. */
export function isOwn({ createdSubject }: CommonFields, { subject, isAnonymous }: Caller): boolean {
  return !isAnonymous && createdSubject.subjectId === subject.subjectId;
}

function isNothing(reach: Reach): boolean {
  return reach !== "all" && reach.length === 0;
}

/** Returns the entities that the caller may use the operation on. */
export function reachOf(grants: readonly Grant[], caller: Caller): Reach {
  if (caller.isUnrestricted === true) return "all";
  const { isOpen, isForNamed, roles, ties } = sortedOnce(grants);
  if (isOpen) return "all";
  // Entities of anonymous callers have no owner, and scopes need an identified caller.
  if (caller.isAnonymous) return NONE;
  return isForNamed || caller.roles.some((role) => roles.has(role)) ? "all" : ties;
}

/** The grants of a list, sorted by kind. */
interface SortedGrants {
  readonly isOpen: boolean;
  readonly isForNamed: boolean;
  readonly roles: ReadonlySet<string>;
  readonly ties: readonly Tie[];
}

/** A cache, because all requests use the same few immutable lists. */
const SORTED = new WeakMap<readonly Grant[], SortedGrants>();

function sortedOnce(grants: readonly Grant[]): SortedGrants {
  const known = SORTED.get(grants);
  if (known !== undefined) return known;
  const roles = grants.flatMap((grant) => {
    return grant.startsWith(ROLE) ? [grant.slice(ROLE.length)] : [];
  });
  const sorted = {
    isOpen: grants.includes("anyone"),
    isForNamed: grants.includes("authenticated"),
    roles: new Set(roles),
    ties: Object.freeze(grants.filter(isTie)),
  };
  SORTED.set(grants, sorted);
  return sorted;
}

/** Returns the filters of a new child's parent. An empty list means any parent, and null means none. */
export function parentFilters({ create, scopes = {} }: AccessRules, asker: Asker): GivenFilters {
  const reach = reachOf(create, asker.caller);
  if (reach === "all") return [];
  const above = reach.filter(isAbove);
  return anyGiven(above.map((tie) => tieFilters(seenFromParent(tie), scopes[tie], asker)));
}
