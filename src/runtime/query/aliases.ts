import { filtersOf, type Asking, type Condition } from "./conditions.js";
import type { ListQuery, SortKey } from "./query.js";

/** A filter and a sort that stand under a path of their own (ALI-1). */
export interface CollectionAlias {
  readonly conditions: readonly Condition[];
  readonly sort: readonly SortKey[];
}

/**
 * The caller's own query within an alias, if it is one: its filters hold as well, and its sort replaces the alias's
 * (ALI-1).
 */
export function aliasQuery(
  query: ListQuery,
  alias: CollectionAlias | undefined,
  asking: Asking,
): ListQuery {
  if (alias === undefined) return query;
  return {
    ...query,
    filters: [...filtersOf(alias.conditions, asking), ...query.filters],
    sort: query.sort.length > 0 ? query.sort : alias.sort,
  };
}
