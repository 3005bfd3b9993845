import { reachOf, type AccessRules } from "./access.js";
import {
  anyGiven,
  isAbove,
  seenFromParent,
  tieFilters,
  type Asker,
  type GivenFilters,
} from "./ties.js";

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
