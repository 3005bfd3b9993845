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

/** Who may do something: everybody, who says who they are, who has a role, or who has to do with the entity. */
type Grant = "anyone" | "authenticated" | Tie | `role:${string}`;

/** A grant that says the same of every entity. */
export type CallerGrant = Exclude<Grant, Tie>;

/** Who may do what with the entities of one resource; any grant of a list suffices (AUT-2). */
export interface AccessRules {
  /** Lists as well. */
  readonly read: readonly Grant[];
  readonly create: readonly Grant[];
  /** PUT and PATCH. */
  readonly update: readonly Grant[];
  readonly delete: readonly Grant[];
  /** What `custom` gives; of the parent for `parent:custom`. Left out: nothing. */
  readonly scopes?: Scopes;
}

/** What access is given to. */
export type AccessOperation = Exclude<keyof AccessRules, "scopes">;

/** The rules of what is open to everybody. */
export const OPEN: AccessRules = {
  read: ["anyone"],
  create: ["anyone"],
  update: ["anyone"],
  delete: ["anyone"],
};

/** Which entities a caller may do something with: every one, or those with one of these ties. */
export type Reach = "all" | readonly Tie[];

const ROLE = "role:";
const NONE: readonly Tie[] = [];
const UNFILTERED: readonly Filter[] = [];

/**
 * Refuses what no entity could allow, before anything of the request is read. Throws 401 where the caller is
 * anonymous, and 403 else; what is refused for one entity only is left to the rules below.
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

/** Refuses whoever has none of the grants. Throws 401 where the caller is anonymous, and 403 else. */
export function checkCaller(grants: readonly CallerGrant[], caller: Caller): void {
  if (reachOf(grants, caller) === "all") return;
  throw caller.isAnonymous ? unauthorized() : forbidden();
}

/** The filters that leave what the caller may read; null where that is nothing. */
export function visibleFilters(rules: AccessRules, asker: Asker): readonly Filter[] | null {
  if (rules === OPEN) return UNFILTERED;
  const reach = reachOf(rules.read, asker.caller);
  return reach === "all" ? UNFILTERED : tiedFilters(reach, rules.scopes ?? {}, asker);
}

/**
 * Throws 403 when the caller may see an entity, and not change or delete it. Returns the filters that the entity
 * has to pass as well, where only the store can tell.
 */
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

/** Whether the caller has created an entity; nobody owns what nobody created. */
export function isOwn({ createdSubject }: CommonFields, { subject, isAnonymous }: Caller): boolean {
  return !isAnonymous && createdSubject.subjectId === subject.subjectId;
}

function isNothing(reach: Reach): boolean {
  return reach !== "all" && reach.length === 0;
}

/** Which entities the caller may do it with. */
export function reachOf(grants: readonly Grant[], caller: Caller): Reach {
  if (caller.isUnrestricted === true) return "all";
  const { isOpen, isForNamed, roles, ties } = sortedOnce(grants);
  if (isOpen) return "all";
  // Nobody owns what nobody created, and no code is asked about who has no name.
  if (caller.isAnonymous) return NONE;
  return isForNamed || caller.roles.some((role) => roles.has(role)) ? "all" : ties;
}

/** The grants of a list by what they ask. */
interface SortedGrants {
  readonly isOpen: boolean;
  readonly isForNamed: boolean;
  readonly roles: ReadonlySet<string>;
  readonly ties: readonly Tie[];
}

/** Every request asks the same few lists, which nobody changes. */
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

/**
 * The filters that the parent of a new child has to pass: none where it may be any; null where the caller may create
 * no child.
 */
export function parentFilters({ create, scopes = {} }: AccessRules, asker: Asker): GivenFilters {
  const reach = reachOf(create, asker.caller);
  if (reach === "all") return [];
  const above = reach.filter(isAbove);
  return anyGiven(above.map((tie) => tieFilters(seenFromParent(tie), scopes[tie], asker)));
}
