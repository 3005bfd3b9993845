import { runCustomNow } from "../base/custom-code.js";
import { whereFilters, type PathFilters, type Where } from "../query/where.js";
import type { Caller } from "./caller.js";
import type { Scope } from "./ties.js";

/** Conditions on the entities that a caller is given; `{}` holds for all of them, and null for none (AUT-2). */
type Given<Paths> = Where<Paths> | null;

/** Says which entities a caller is given. */
export type ScopeFunction<Paths> = (caller: Caller) => Given<Paths>;

/**
 * What `custom` gives, by a function of the service's own code. What that throws is answered 500, and nothing is shown. A value
 * that a property cannot hold matches nothing, and is told in the log.
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
