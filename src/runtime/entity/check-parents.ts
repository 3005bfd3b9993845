import type { AccessRules } from "../auth/access.js";
import { parentFilters } from "../auth/parent-access.js";
import { forbidden } from "../base/errors.js";
import type { RequestContext } from "../http/request-context.js";
import type { Reference } from "./references.js";

/** AUT-2: a child may have to be created under a parent that the caller has a tie to. Throws 403. */
export async function checkParents(
  reference: Reference<unknown>,
  access: AccessRules,
  ids: readonly string[],
  context: RequestContext,
): Promise<void> {
  const within = parentFilters(access, context);
  if (within === null) throw forbidden();
  if (within.length === 0 || ids.length === 0) return;
  const allowed = await reference.find(ids, within);
  const others = ids.filter((id) => !allowed.has(id));
  // What is not stored yet is new in this transaction, whose code may fill it.
  if (others.length > 0 && (await reference.find(others, [])).size > 0) throw forbidden();
}
