import { runCustomNow } from "../base/custom-code.js";
import { CREATOR, subjectFilter } from "../query/conditions.js";
import type { Filter } from "../query/query.js";
import { whereFilters, type PathFilters, type Where } from "../query/where.js";
import type { Caller } from "./authentication.js";

/** Who created the entity, or its parent (`parent:owner`), or that one's parent (`parent:parent:owner`). */
type Ownership = "owner" | `parent:${string}owner`;

/** What a caller has to do with an entity: an ownership, or that the service's own code gives it, or what it belongs to. */
export type Tie = Ownership | "custom" | `parent:${string}custom`;

/** Who asks for access, and tells the log what is wrong with own code: the context of a request. */
export interface Asker {
  readonly caller: Caller;
  /** Each text once in a minute. */
  warn(text: string): void;
}

/** What the service's own code gives a caller, as filters of the table that it is about; null: nothing. */
type Scope = (asker: Asker) => GivenFilters;

/** What gives what, for the ties of the service's own code. */
export type Scopes = { readonly [Name in Tie]?: Scope };

/** Filters that must all hold; null: nothing passes. */
export type GivenFilters = readonly Filter[] | null;

/** Any of the ties suffices. */
export function tiedFilters(ties: readonly Tie[], scopes: Scopes, asker: Asker): GivenFilters {
  return anyGiven(ties.map((tie) => tieFilters(tie, scopes[tie], asker)));
}

/** Whether a grant depends on the entity. */
export function isTie(grant: string): grant is Tie {
  return grant === "custom" || isOwnership(grant) || /^parent:.*custom$/.test(grant);
}

function isOwnership(grant: string): grant is Ownership {
  return grant === "owner" || /^parent:.*owner$/.test(grant);
}

/** What a tie asks of an entity. */
export function tieFilters(tie: Tie, scope: Scope | undefined, asker: Asker): GivenFilters {
  // The store calls who created what is above an entity as the tie is called.
  if (isOwnership(tie))
    return [subjectFilter(tie === "owner" ? CREATOR : tie, asker.caller.subject.subjectId)];
  const filters = scope?.(asker) ?? null;
  return filters === null || filters.length === 0 ? filters : atTie(filters, tie);
}

/** What must hold of the entity where something must hold of what the tie is to. */
function atTie(filters: readonly Filter[], tie: Tie): readonly Filter[] {
  return isAbove(tie) ? [{ parent: atTie(filters, seenFromParent(tie)) }] : filters;
}

/** Whether it is a tie to what the entity belongs to. */
export function isAbove(tie: Tie): boolean {
  return tie.startsWith("parent:");
}

/** What such a tie is called as one to the parent. */
export function seenFromParent(tie: Tie): Tie {
  // What follows is a tie again: to the entity itself, or to what is above it.
  return tie.slice("parent:".length) as Tie;
}

/** What passes any of them: everything where one of them asks nothing. */
export function anyGiven(given: readonly GivenFilters[]): GivenFilters {
  const alternatives = given.filter((filters) => filters !== null);
  const [first = null, second] = alternatives;
  if (second === undefined) return first;
  return alternatives.some((filters) => filters.length === 0) ? [] : [{ any: alternatives }];
}

/** Conditions on the entities that a caller is given; `{}` holds for all of them, and null for none (AUT-2). */
type Given<Paths> = Where<Paths> | null;

/** Says which entities a caller is given. */
export type ScopeFunction<Paths> = (caller: Caller) => Given<Paths>;

/**
 * Turns a function of custom code into the filters that `custom` grants. If it throws, the request is answered with 500. A value
 * that a property cannot hold matches nothing, and is logged.
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
