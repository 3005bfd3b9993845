import type { Grant } from "../auth/access.js";
import type { TestCaller } from "./credentials.js";
import { isAskingCode, type ResourceFacts } from "./resource-facts.js";
import { CREATOR } from "./suite.js";

/** Whoever calls; null has no token. */
export type Caller = Required<TestCaller> | null;

/** The subjects of who has made an entity, and of who has made its parent. */
export interface Makers {
  readonly entity: string;
  readonly parent: string;
}

/** Of what the tests make as a rule. */
export const MADE_BY_CREATOR: Makers = { entity: CREATOR, parent: CREATOR };

/** What is known of the access of a caller; the service's own code says the rest. */
export type Verdict = "yes" | "no" | "perhaps";

/** Whether a caller may do it with an entity of these makers. */
export function may(grants: readonly Grant[], caller: Caller, makers: Makers): Verdict {
  if (isOpen(grants, caller)) return "yes";
  if (caller === null) return "no";
  if (grants.includes("owner") && caller.subject === makers.entity) return "yes";
  if (grants.includes("parent:owner") && caller.subject === makers.parent) return "yes";
  // What lies above a parent was made by whoever makes things as a rule.
  if (grants.some(isOwnerAbove) && caller.subject === CREATOR) return "yes";
  return isAskingCode(grants) ? "perhaps" : "no";
}

/** Whether a caller may do it with any entity that there could be. */
export function mayAny(grants: readonly Grant[], caller: Caller): boolean {
  if (isOpen(grants, caller)) return true;
  if (caller === null) return false;
  const owned = ["owner", "parent:owner"] as const;
  const isOwned = owned.some((grant) => grants.includes(grant)) || grants.some(isOwnerAbove);
  return isOwned || isAskingCode(grants);
}

/** Whether whoever created what is above the parent may do it. */
function isOwnerAbove(grant: Grant): boolean {
  return /^parent:parent:.*owner$/.test(grant);
}

function isOpen(grants: readonly Grant[], caller: Caller): boolean {
  if (grants.includes("anyone")) return true;
  if (caller === null) return false;
  const isGranted = grants.includes("authenticated");
  return isGranted || caller.roles.some((role) => grants.includes(`role:${role}`));
}

/** Whether the caller may read what somebody has made. */
export function isVisible(
  { access }: ResourceFacts,
  caller: Caller,
  makers = MADE_BY_CREATOR,
): Verdict {
  return may(access.read, caller, makers);
}

/** The operations on one entity. */
export type EntityOperation = "read" | "replace" | "update" | "delete";

/** What such an operation can answer: one status, unless the service's own code decides. */
export function entityStatuses(
  facts: ResourceFacts,
  operation: EntityOperation,
  caller: Caller,
  makers = MADE_BY_CREATOR,
): readonly number[] {
  const { access, deletable } = facts;
  const grants = access[operation === "replace" ? "update" : operation];
  const isAnyhow = mayAny(grants, caller) && mayAny(access.read, caller);
  if (caller === null && !isAnyhow) return [401];
  const seen = isVisible(facts, caller, makers);
  const hidden = seen === "yes" ? [] : [404];
  if (seen === "no") return hidden;
  const allowed = may(grants, caller, makers);
  const success = operation !== "delete" ? 200 : deletable ? 204 : 409;
  const refused = allowed === "yes" ? [] : [403];
  return [...hidden, ...refused, ...(allowed === "no" ? [] : [success])];
}

/** Every role that the schema names, of a resource and of what its entities need (AUT-2). */
export function allRoles(facts: ResourceFacts): readonly string[] {
  const { read, create, update, delete: deleting } = facts.access;
  const acting = (facts.actions ?? []).flatMap((action) => action.grants);
  const grants: readonly Grant[] = [...read, ...create, ...update, ...deleting, ...acting];
  const own = grants.filter((grant) => grant.startsWith("role:")).map((grant) => grant.slice(5));
  return [...new Set([...own, ...others(facts).flatMap(allRoles)])];
}

function others({ needs, parent }: ResourceFacts): readonly ResourceFacts[] {
  return [...needs, ...(parent === null ? [] : [parent])].map(({ facts }) => facts);
}

/** Those whom the tests ask as: one for each way of being allowed something. */
export function allCallers(facts: ResourceFacts): Readonly<Record<string, Caller>> {
  return {
    "who has no token": null,
    "who created it": { subject: CREATOR, roles: [] },
    "somebody else": { subject: "stranger", roles: [] },
    ...Object.fromEntries(
      allRoles(facts).map((role) => [`the role ${role}`, { subject: "holder", roles: [role] }]),
    ),
  };
}
