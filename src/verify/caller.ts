import { createHash } from "node:crypto";
import { claimOf, tieOf } from "../kinds/access-model.js";
import { operationLike, type ActionModel } from "../model/action-model.js";
import type { Operation, ResourceModel } from "../model/resource-model.js";
import type { ServiceModel } from "../model/service-model.js";
import { at, isList, isObject, parseJson, type Json, type JsonObject } from "../samples/json.js";

/** The sender of a request: the bearer of a token, or an anonymous caller. */
export interface Caller {
  readonly token: string | null;
  /** What the token says, as far as it can be read without its key. */
  readonly claims: JsonObject;
  readonly roles: readonly string[];
  /** AUT-4; null: the token names none, or nothing has a tenant. */
  readonly tenant: string | null;
}

/** The anonymous caller. */
export const NOBODY: Caller = { token: null, claims: {}, roles: [], tenant: null };

/**
 * The entities of a resource that a caller has access to; `own`: those that the caller created, or what they belong to;
 * `perhaps`: those that the service's own code gives, which nobody else knows.
 */
export type Reach = "all" | "own" | "perhaps" | "none";

/** What every operation is called in `access`. */
const RIGHTS = {
  create: "create",
  list: "read",
  read: "read",
  replace: "update",
  update: "update",
  delete: "delete",
} as const;

/** The bearer of a token; only the service checks the signature. */
export function callerOf(token: string, { authentication }: ServiceModel): Caller {
  const part = token.split(".")[1] ?? "";
  const read = parseJson(Buffer.from(part, "base64url").toString("utf8"));
  const claims = isObject(read) ? read : {};
  const isBearer = authentication.scheme === "bearer";
  const found = claimAt(claims, isBearer ? authentication.roles : "");
  const roles = typeof found === "string" ? found.split(" ") : isList(found) ? found : [];
  const path = isBearer ? authentication.tenant : null;
  return {
    token,
    claims,
    roles: roles.filter((role) => typeof role === "string"),
    tenant: path === null ? null : tenantIn(claimAt(claims, path)),
  };
}

/** A claim whose name is the whole path comes before one inside of others. */
function claimAt(claims: JsonObject, path: string): Json | undefined {
  return claims[path] ?? at(claims, path);
}

const LONGEST_TENANT = 60;

function tenantIn(found: Json | undefined): string | null {
  if (typeof found !== "string" || found.trim() === "") return null;
  return found.length <= LONGEST_TENANT ? found : null;
}

/** AUT-2: which entities of a resource a caller may do something with. */
export function reachOf(
  { access }: Pick<ResourceModel, "access">,
  operation: Operation,
  caller: Caller,
): Reach {
  const grants = access[RIGHTS[operation]];
  if (grants.includes("anyone")) return "all";
  if (caller.token === null) return "none";
  if (grants.includes("authenticated")) return "all";
  if (caller.roles.some((role) => grants.includes(`role:${role}`))) return "all";
  if (grants.some((grant) => hasClaim(caller, grant))) return "all";
  if (grants.some((grant) => grant === "owner" || isOfAncestor(grant))) return "own";
  return isAskingCode(grants) ? "perhaps" : "none";
}

/** Whether the token has the claim that a grant asks for, as one value or in a list. */
function hasClaim({ claims }: Caller, grant: string): boolean {
  const asked = claimOf(grant);
  if (asked === null) return false;
  const found = claimAt(claims, asked.path);
  return (isList(found) ? found : [found]).map(String).includes(asked.value);
}

/** Who created what an entity belongs to: its parent, or what that belongs to. */
function isOfAncestor(grant: string): boolean {
  return grant !== "owner" && tieOf(grant)?.by === "owner";
}

/** Whether the schema says that a caller may do something with some entities. */
export function isCertain(
  resource: Pick<ResourceModel, "access">,
  operation: Operation,
  caller: Caller,
): boolean {
  const reach = reachOf(resource, operation, caller);
  return reach === "all" || reach === "own";
}

/** Whether access depends on custom code or on values of the entity, which no check knows. */
export function isAskingCode(grants: readonly string[]): boolean {
  return grants.some((grant) => {
    const tie = tieOf(grant);
    return tie !== null && tie.by !== "owner";
  });
}

/** AUT-2: an action on an entity is asked about as a change, one on a collection as a creation. */
export function asking({ access: own, ...resource }: ResourceModel, action: ActionModel) {
  return { ...resource, access: { ...own, [operationLike(action)]: action.access } };
}

/** The relation of a caller to an entity. */
export interface Relation {
  readonly isOwn: boolean;
  /** The caller created all that the entity belongs to. */
  readonly isParentOwn: boolean;
}

/** What is known of the access of a caller to an entity. */
export type Verdict = "yes" | "no" | "perhaps";

/** AUT-2: whether a caller may do something with an entity. */
export function mayDo(
  resource: Pick<ResourceModel, "access">,
  operation: Operation,
  caller: Caller,
  { isOwn, isParentOwn }: Relation,
): Verdict {
  const reach = reachOf(resource, operation, caller);
  if (reach === "all") return "yes";
  if (reach === "none") return "no";
  const grants = resource.access[RIGHTS[operation]];
  if (isOwn && grants.includes("owner")) return "yes";
  if (isParentOwn && grants.some(isOfAncestor)) return "yes";
  return isAskingCode(grants) ? "perhaps" : "no";
}

/** Two tokens can have the same subject; an entity of an anonymous creator has no owner. */
export function isSameSubject(
  one: Caller,
  other: Caller,
  { authentication }: Pick<ServiceModel, "authentication">,
): boolean {
  const issuer = authentication.scheme === "bearer" ? authentication.issuer : "";
  if (one.token === null || other.token === null) return false;
  return subjectOf(one, issuer).subjectId === subjectOf(other, issuer).subjectId;
}

/** AUT-3: the subject that a caller is known by. */
export function subjectOf(
  { token, claims }: Caller,
  issuer: string,
): { subjectId: string; userPrincipalName: string } {
  if (token === null) return ANONYMOUS;
  const sub = String(claims["sub"]);
  // A UUID of version 5 could be that of another's text.
  const isUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-(?!5)[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(sub);
  const name = ["upn", "preferred_username", "email", "sub"]
    .map((claim) => claims[claim])
    .find((claim) => typeof claim === "string" && claim.trim() !== "");
  return {
    subjectId:
      isUuid && sub !== ANONYMOUS.subjectId ? sub.toLowerCase() : uuid5(`${issuer}#${sub}`),
    userPrincipalName: String(name),
  };
}

const ANONYMOUS = {
  subjectId: "00000000-0000-0000-0000-000000000000",
  userPrincipalName: "anonymous",
};

/** RFC 9562: the namespace of URLs. */
const URL_NAMESPACE = "6ba7b8119dad11d180b400c04fd430c8";

export function uuid5(name: string): string {
  const hash = createHash("sha1").update(Buffer.from(URL_NAMESPACE, "hex")).update(name).digest();
  const hex = hash.toString("hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`];
  return [...parts, variant + hex.slice(17, 20), hex.slice(20, 32)].join("-");
}
