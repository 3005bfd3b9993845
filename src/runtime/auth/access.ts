import type { CommonFields } from "../base/common-fields.js";
import { runCustomNow } from "../base/custom-code.js";
import { forbidden, unauthorized } from "../base/errors.js";
import { CREATOR, subjectFilter } from "../query/conditions.js";
import type { Filter } from "../query/query.js";
import { tenantFilter } from "../query/tenant.js";
import { whereFilters, type PathFilters, type Where } from "../query/where.js";
import { claimTexts, type Caller } from "./authentication.js";

/** Access rules of resources (AUT-2): the grants of a caller, and their filters. */

/** A condition of access: none, a valid token, a role, a claim of the token (`claim:department=sales`), or a tie to the entity. */
type Grant = "anyone" | "authenticated" | Tie | `role:${string}` | `claim:${string}=${string}`;

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
  /** AUT-4: the caller needs a tenant. Defaults to false. */
  readonly hasTenant?: boolean;
  /** The scopes of `custom`, and those of ancestors, such as for `parent:custom`. Defaults to none. */
  readonly scopes?: Scopes;
}

export type AccessOperation = Exclude<keyof AccessRules, "hasTenant" | "scopes">;

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
const CLAIM = /^claim:([^=]+)=(.*)$/s;
const NONE: readonly Tie[] = [];
const UNFILTERED: readonly Filter[] = [];

/**
 * Refuses requests that no entity could allow, before the request is read. Throws 401 for an anonymous caller. Throws 403 for
 * another caller, unless the request addresses an entity, whose 404 comes first. Throws 403 for a caller without a tenant.
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
  if (rules.hasTenant === true) tenantFilter(caller);
  if (isNothing(reach) && !isAddressed) throw forbidden();
}

/** Refuses a caller without any of the grants. Throws 401 if the caller is anonymous, otherwise 403. */
export function checkCaller(grants: readonly CallerGrant[], caller: Caller): void {
  if (reachOf(grants, caller) === "all") return;
  throw caller.isAnonymous ? unauthorized() : forbidden();
}

/** Returns the filters of the entities that the caller may read. Null means that the caller may read none. */
export function visibleFilters(rules: AccessRules, asker: Asker): readonly Filter[] | null {
  if (rules === OPEN) return UNFILTERED;
  const reach = reachOf(rules.read, asker.caller);
  return reach === "all" ? UNFILTERED : tiedFilters(reach, rules.scopes ?? {}, asker);
}

/** Returns the filters that the stored entity must pass for the change. Throws 403 if no grant can allow the change. */
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

/** Returns the entities on which these grants allow the caller an operation. */
export function reachOf(grants: readonly Grant[], caller: Caller): Reach {
  if (caller.isUnrestricted === true) return "all";
  const { isOpen, isForNamed, roles, claims, ties } = sortedOnce(grants);
  if (isOpen) return "all";
  // Entities of anonymous callers have no owner, and scopes need an identified caller.
  if (caller.isAnonymous) return NONE;
  const isForAll =
    isForNamed ||
    caller.roles.some((role) => roles.has(role)) ||
    claims.some(([claim, value]) => claimTexts(caller, claim).includes(value));
  return isForAll ? "all" : ties;
}

/** The grants of a list, sorted by kind. */
interface SortedGrants {
  readonly isOpen: boolean;
  readonly isForNamed: boolean;
  readonly roles: ReadonlySet<string>;
  readonly claims: readonly (readonly [claim: string, value: string])[];
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
  const claims = grants.flatMap((grant) => {
    const [, claim = "", value = ""] = CLAIM.exec(grant) ?? [];
    return claim === "" ? [] : [[claim, value] as const];
  });
  const sorted = {
    isOpen: grants.includes("anyone"),
    isForNamed: grants.includes("authenticated"),
    roles: new Set(roles),
    claims,
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
  return anyGiven(above.map((tie) => tieFilters(throughParent(tie), scopes[tie], asker)));
}

/** The creator of the entity (`owner`), of its parent (`parent:owner`), or of an ancestor (`parent:parent:owner`). */
type Ownership = "owner" | `parent:${string}owner`;

/**
 * A property with the identifier of its owner (`owner:customer.account.accountId`), or with the value of a claim
 * (`equals:department=org.department`).
 */
type Equality = `${"" | `parent:${string}`}${`owner:${string}` | `equals:${string}=${string}`}`;

/** A relation of a caller to an entity or one of its ancestors: an ownership, an equality, or a scope of custom code. */
export type Tie = Ownership | Equality | "custom" | `parent:${string}custom`;

/** The context of a request, which asks for access and logs mistakes of custom code. */
interface Asker {
  readonly caller: Caller;
  /** Logs each text at most once a minute. */
  warn(text: string): void;
}

/** Returns the filters of the entities that custom code grants to a caller. Null means that it grants none. */
type Scope = (asker: Asker) => GivenFilters;

/** The scopes of custom code, by tie. */
type Scopes = { readonly [Name in Tie]?: Scope };

/** Filters that must all hold. Null means that nothing passes. */
type GivenFilters = readonly Filter[] | null;

/** Returns the filters of entities with any of the ties. */
export function tiedFilters(ties: readonly Tie[], scopes: Scopes, asker: Asker): GivenFilters {
  return anyGiven(ties.map((tie) => tieFilters(tie, scopes[tie], asker)));
}

/** Reports whether a grant depends on the entity. */
export function isTie(grant: string): grant is Tie {
  return isOwnership(grant) || EQUALITY.test(grant) || /^(?:parent:)*custom$/.test(grant);
}

function isOwnership(grant: string): grant is Ownership {
  return /^(?:parent:)*owner$/.test(grant);
}

const EQUALITY = /^(?:parent:)*(?:owner:(.+)|equals:([^=]+)=(.+))$/s;

/** Returns the filters of entities with a tie. */
function tieFilters(tie: Tie, scope: Scope | undefined, asker: Asker): GivenFilters {
  // The store's name for the creator of an ancestor is the tie itself.
  if (isOwnership(tie))
    return [subjectFilter(tie === "owner" ? CREATOR : tie, asker.caller.subject.subjectId)];
  const filters = filtersAtTie(tie, scope, asker);
  return filters === null || filters.length === 0 ? filters : atTie(filters, tie);
}

/** Returns the filters of what a tie concerns, the entity or an ancestor, for an equality or a scope. */
export function filtersAtTie(tie: Tie, scope: Scope | undefined, asker: Asker): GivenFilters {
  const [isEquality, owner, property = "", claim = ""] = EQUALITY.exec(tie) ?? [];
  if (isEquality === undefined) return scope?.(asker) ?? null;
  const { caller } = asker;
  if (owner !== undefined) return [subjectFilter(owner, caller.subject.subjectId)];
  return anyGiven(claimTexts(caller, claim).map((text) => [subjectFilter(property, text)]));
}

/** Converts filters of an ancestor to filters of the entity. */
function atTie(filters: readonly Filter[], tie: Tie): readonly Filter[] {
  return isAbove(tie) ? [{ parent: atTie(filters, throughParent(tie)) }] : filters;
}

/** Reports whether a tie concerns an ancestor of the entity. */
function isAbove(tie: Tie): boolean {
  return tie.startsWith("parent:");
}

/** Returns the tie as the parent sees it. */
function throughParent(tie: Tie): Tie {
  // The rest is a tie, too: to the entity itself or to an ancestor.
  return tie.slice("parent:".length) as Tie;
}

/** Combines the filters of several grants, one of which is enough. Returns null if no grant applies, and `[]` if one has no filters. */
function anyGiven(given: readonly GivenFilters[]): GivenFilters {
  const alternatives = given.filter((filters) => filters !== null);
  const [first = null, second] = alternatives;
  if (second === undefined) return first;
  return alternatives.some((filters) => filters.length === 0) ? [] : [{ any: alternatives }];
}

/** Conditions on the entities that a caller may use. `{}` means all, and null means none (AUT-2). */
type Given<Paths> = Where<Paths> | null;

/** Returns the conditions for a caller. */
export type ScopeFunction<Paths> = (caller: Caller) => Given<Paths>;

/**
 * Converts a function of custom code to the filters of `custom`. If the function throws, the request fails. A value that its
 * property cannot have matches nothing, and a warning is logged.
 */
export function scopeOf<Paths>(
  plural: string,
  scope: ScopeFunction<Paths>,
  paths: PathFilters<Paths>,
): Scope {
  return (asker) => {
    const { caller } = asker;
    const where = runCustomNow(`scope of ${plural}`, () => scope(caller));
    const tell = (fault: string): void =>
      asker.warn(
        `scope of ${plural} has a condition that cannot hold, so it finds nothing: ${fault}`,
      );
    return where === null ? null : whereFilters(where, paths, caller.subject.subjectId, tell);
  };
}
