import { claimOf, tieOf, type AccessModel } from "../../kinds/access-model.js";
import { pathConditions } from "../../model/alias-model.js";
import type { ResourceModel } from "../../model/resource-model.js";
import type { OpenApi } from "./document.js";

/** What an operation needs access for, and whether an identifier stands in its path. */
export interface Guarded {
  readonly operation: keyof AccessModel;
  readonly isAddressed: boolean;
}

const BEARER = [{ bearerAuth: [] }];
/** A token is optional, and is read where it is sent: it says who creates or changes, or whose entities are found. */
const OPTIONAL = [{}, ...BEARER];

/** How a token is sent (AUT-1). */
export function securitySchemes(): OpenApi {
  const description = "A JSON Web Token in the header Authorization (RFC 6750).";
  return { bearerAuth: { type: "http", scheme: "bearer", bearerFormat: "JWT", description } };
}

/** What holds where an operation does not say otherwise. */
export function defaultSecurity(isAuthenticated: boolean): readonly OpenApi[] {
  return isAuthenticated ? BEARER : [];
}

/**
 * How `security` says who may do it (AUT-2); nothing where callers have no names. Swagger UI draws the padlock of a token
 * that is there where a token is optional, and none where the list is empty.
 */
export function securityOf(resource: ResourceModel, guarded: Guarded): OpenApi {
  if (!resource.authenticated) return {};
  if (!isOpen(resource, guarded)) return { security: BEARER };
  return { security: dependsOnCaller(resource, guarded) ? OPTIONAL : [] };
}

/** Whether a token makes a difference to what anyone may do. */
function dependsOnCaller({ conditions }: ResourceModel, { operation }: Guarded): boolean {
  return operation !== "read" || pathConditions(conditions).some(({ kind }) => kind === "mine");
}

/** Who may do it, as a sentence; empty where the service does not ask its callers who they are. */
export function accessText(resource: ResourceModel, guarded: Guarded): string {
  const children = guarded.operation === "delete" ? resource.guardedChildren : [];
  const plurals = children.map(({ plural }) => plural).join(" and ");
  const needed = plurals === "" ? "" : `Needs the right to delete its ${plurals} as well.`;
  const tenant = resource.entity.tenant === null ? "" : "Confined to the tenant of the caller.";
  return [grantsText(resource, guarded), tenant, needed].filter((text) => text !== "").join(" ");
}

function grantsText(
  { access, parent, authenticated }: ResourceModel,
  { operation }: Guarded,
): string {
  const grants = access[operation];
  if (!authenticated) return "";
  if (grants.includes("anyone")) return "No token is required.";
  if (grants.includes("authenticated")) return "Any caller with a valid token may do this.";
  const named = grants.map((grant) => grantText(grant, parent)).join(", ");
  return operation === "read" ? `Visible to ${named}.` : `Allowed for ${named}.`;
}

function grantText(grant: string, parent: ResourceModel["parent"]): string {
  const tie = tieOf(grant);
  const claim = claimOf(grant);
  if (claim !== null)
    return `callers with the claim \`${claim.path}\` ${JSON.stringify(claim.value)}`;
  if (tie === null) return `\`${grant}\``;
  const { depth, by } = tie;
  const above = (parent?.name.words ?? "parent") + "'s parent".repeat(Math.max(depth - 1, 0));
  const of = depth === 0 ? "" : ` of its ${above}`;
  if (by === "owner") return `\`owner\`${of}`;
  if (by === "custom")
    return `callers that custom code accepts${depth === 0 ? "" : ` for its ${above}`}`;
  return by.claim === null
    ? `the caller whom \`${by.property}\`${of} names`
    : `callers whose claim \`${by.claim}\` equals \`${by.property}\`${of}`;
}

/** 401, 403 and 429 where they can happen: a token that is not valid is 401 everywhere. */
export function securityErrors(resource: ResourceModel, guarded: Guarded): OpenApi {
  const reference = (name: string): OpenApi => ({ $ref: `#/components/responses/${name}` });
  const limited = resource.limited ? { "429": reference("TooManyRequests") } : {};
  if (!resource.authenticated) return limited;
  return {
    ...limited,
    "401": reference("Unauthorized"),
    ...(canBeForbidden(resource, guarded) && { "403": reference("Forbidden") }),
  };
}

function isOpen({ access }: ResourceModel, { operation, isAddressed }: Guarded): boolean {
  // What may not be read cannot be changed either.
  const needed = isAddressed ? [access[operation], access.read] : [access[operation]];
  return needed.every((grants) => grants.includes("anyone"));
}

/** An entity that may not be read is 404, and a list of one's own is never refused; rules in code, also of a parent, may give nothing, which is. */
function canBeForbidden(resource: ResourceModel, { operation, isAddressed }: Guarded): boolean {
  const grants = resource.access[operation];
  if (operation === "delete" && resource.guardedChildren.length > 0) return true;
  // AUT-4: a token can lack the tenant.
  if (resource.entity.tenant !== null) return true;
  if (grants.includes("anyone") || grants.includes("authenticated")) return false;
  const isOwned = grants.some((grant) => {
    const by = tieOf(grant)?.by;
    return by === "owner" || (typeof by === "object" && by.claim === null);
  });
  if (operation === "read") return !isAddressed && !isOwned;
  return true;
}
