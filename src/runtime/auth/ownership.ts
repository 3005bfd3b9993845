import { runCustomNow } from "../base/custom-code.js";
import { CREATOR, subjectFilter } from "../query/conditions.js";
import type { Filter } from "../query/query.js";
import { whereFilters, type PathFilters, type Where } from "../query/where.js";
import type { Caller } from "./authentication.js";

/** The creator of the entity (`owner`), of its parent (`parent:owner`), or of an ancestor (`parent:parent:owner`). */
type Ownership = "owner" | `parent:${string}owner`;

/** A relation of a caller to an entity or one of its ancestors: an ownership, or a scope of custom code. */
export type Tie = Ownership | "custom" | `parent:${string}custom`;

/** The context of a request, which asks for access and logs mistakes of custom code. */
export interface Asker {
  readonly caller: Caller;
  /** Logs each text at most once a minute. */
  warn(text: string): void;
}

/** Returns the filters of the entities that custom code grants to a caller. Null means none. */
type Scope = (asker: Asker) => GivenFilters;

/** The scopes of custom code, by tie. */
export type Scopes = { readonly [Name in Tie]?: Scope };

/** Filters that must all hold. Null means that nothing passes. */
export type GivenFilters = readonly Filter[] | null;

/** Returns the filters of entities with any of the ties. */
export function tiedFilters(ties: readonly Tie[], scopes: Scopes, asker: Asker): GivenFilters {
  return anyGiven(ties.map((tie) => tieFilters(tie, scopes[tie], asker)));
}

/** Reports whether a grant depends on the entity. */
export function isTie(grant: string): grant is Tie {
  return grant === "custom" || isOwnership(grant) || /^parent:.*custom$/.test(grant);
}

function isOwnership(grant: string): grant is Ownership {
  return grant === "owner" || /^parent:.*owner$/.test(grant);
}

/** Returns the filters of entities with a tie. */
export function tieFilters(tie: Tie, scope: Scope | undefined, asker: Asker): GivenFilters {
  // The store's name for the creator of an ancestor is the tie itself.
  if (isOwnership(tie))
    return [subjectFilter(tie === "owner" ? CREATOR : tie, asker.caller.subject.subjectId)];
  const filters = scope?.(asker) ?? null;
  return filters === null || filters.length === 0 ? filters : atTie(filters, tie);
}

/** Converts filters of an ancestor to filters of the entity. */
function atTie(filters: readonly Filter[], tie: Tie): readonly Filter[] {
  return isAbove(tie) ? [{ parent: atTie(filters, seenFromParent(tie)) }] : filters;
}

/** Reports whether a tie concerns an ancestor of the entity. */
export function isAbove(tie: Tie): boolean {
  return tie.startsWith("parent:");
}

/** Returns the tie as the parent sees it. */
export function seenFromParent(tie: Tie): Tie {
  // The rest is a tie, too: to the entity itself or to an ancestor.
  return tie.slice("parent:".length) as Tie;
}

/** Combines alternatives. An empty list of filters passes everything. */
export function anyGiven(given: readonly GivenFilters[]): GivenFilters {
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
 * Converts a function of custom code to the filters of `custom`. If the function throws, the response is 500. A value that its
 * property cannot have matches nothing, and is logged.
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
