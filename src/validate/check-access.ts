import { didYouMean } from "../diagnostics/advice.js";
import { nearest } from "../naming/nearest.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import { isGrant } from "./grants.js";
import { mapping, own, type Mapping } from "./plain.js";
import type { GrantYaml } from "./resource-document.js";
import type { Scope } from "./scope.js";

const GRANTS = ["anyone", "authenticated", "owner", "parent", "custom", "role:"];
const EVERYBODY = ["all", "anybody", "everybody", "everyone", "public"];
/** The form of a role: without spaces, since some tokens list roles in one string. */
const ROLE = /^role:[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;

/** AUT-2: access is granted only to kinds of callers that exist. */
export function checkAccess(value: Mapping, findings: Findings, scope: AccessScope): void {
  for (const [operation, grants] of Object.entries(mapping(own(value, "access")))) {
    if (!Array.isArray(grants)) continue;
    for (const [index, grant] of grants.entries() as ArrayIterator<[number, unknown]>) {
      if (!isGrant(grant)) continue;
      checkGrant({ grant, operation, path: ["access", operation, index] }, findings, scope);
    }
  }
}

/** What the valid grants depend on. */
export interface AccessScope extends Pick<Scope, "authentication"> {
  /** The resource has a parent. */
  readonly hasParent: boolean;
}

/** A grant, and what it is given for. */
export interface GrantPlace {
  readonly grant: GrantYaml;
  readonly operation: string;
  readonly path: readonly PathStep[];
}

/** AUT-2: one grant at its place. */
export function checkGrant(
  { grant: given, operation, path }: GrantPlace,
  findings: Findings,
  { authentication, hasParent }: AccessScope,
): void {
  const at = { path };
  const grant = grantName(given);
  if (grant === "anyone" || (grant === "parent" && hasParent)) return;
  if (typeof given === "string" && !GRANTS.includes(grant) && !grant.startsWith("role:")) {
    findings.add("AUT-2", at, { grant }, { suggestion: unknownSuggestion(grant) });
  } else if (grant === "parent") {
    findings.add("SCH-79", at, {}, { suggestion: "Remove it, or give it a `parent`." });
  } else if (grant.startsWith("role:") && !ROLE.test(grant)) {
    const suggestion = "A role is written role:agent: letters, digits and . _ : / - after it.";
    findings.add("SCH-80", at, { grant }, { suggestion });
  } else if (grant === "owner" && operation === "create") {
    findings.add("SCH-81", at, {}, { suggestion: didYouMean("authenticated") });
  } else if ((grant === "custom" || grant === "equals") && operation === "create") {
    const suggestion = "Grant it to authenticated callers or a role, and refuse others in a hook.";
    findings.add("SCH-230", at, { grant }, { suggestion });
  } else if (authentication === "none") {
    const suggestion = "Write authentication: { scheme: bearer, ... } in service.yaml.";
    findings.add("SCH-82", at, { grant }, { suggestion });
  }
}

/** The word that a grant is known by. */
export function grantName(grant: GrantYaml): string {
  if (typeof grant === "string") return grant;
  return grant.equals === undefined ? "claim" : "equals";
}

function unknownSuggestion(grant: string): string {
  if (EVERYBODY.includes(grant)) return didYouMean("anyone");
  const near = nearest(grant, GRANTS);
  if (near !== null && near !== "role:") return didYouMean(near);
  return ROLE.test(`role:${grant}`)
    ? didYouMean(`role:${grant}`)
    : "Callers are anyone, authenticated, owner, parent, custom, role:<name> and claims.";
}
