import type { Subject } from "../base/common-fields.js";
import type { ChildRights } from "./child-rights.js";
import type { WriteStep } from "./database.js";
import type { GuardedCascade } from "./entity-table.js";
import { openEnded } from "./write-steps.js";

/** Deletes the children of an entity with it, as far as its author has a right to them (CHD-4, AUT-2). */
export function cascadeSteps(
  cascades: readonly (string | GuardedCascade)[] | undefined,
  id: string,
  [{ subject }, rights]: readonly [author: { readonly subject: Subject }, rights: ChildRights],
): WriteStep[] {
  return (cascades ?? []).flatMap((cascade): WriteStep[] => {
    if (typeof cascade === "string") return [openEnded(cascade, [id])];
    const right = rights.get(cascade.children) ?? "all";
    if (right === "none") return [];
    if (right === "all") return [openEnded(cascade.delete, [id])];
    return [openEnded(cascade.deleteOwn, [id, subject.subjectId])];
  });
}
