import type { AccessRules } from "../auth/access.js";
import { checkParents } from "./check-parents.js";
import type { ParentCheck } from "./repository-rules.js";

/** Asks for the tie to the parent, which the reference of this name leads to (AUT-2). */
export function tiedParent(name: string, access: AccessRules): ParentCheck {
  return async ({ [name]: toParent }, context) => {
    if (toParent === undefined) return;
    const { reference, entities } = toParent;
    await checkParents(reference, access, [...entities.keys()], context);
  };
}
