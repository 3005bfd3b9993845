import { nearest } from "../naming/nearest.js";
import type { PathStep } from "../load/source-document.js";
import type { Findings } from "./findings.js";
import { mapping, own, type Mapping } from "./plain.js";
import type { Scope } from "./scope.js";

const GRANTS = ["anyone", "authenticated", "owner", "parent", "role:"];
const EVERYBODY = ["all", "anybody", "everybody", "everyone", "public"];
/** What a token can call a role: no blanks, since some tokens list roles in one text. */
const ROLE = /^role:[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;

/** AUT-2: access is given to callers that there can be. */
export function checkAccess(value: Mapping, findings: Findings, scope: AccessScope): void {
  for (const [operation, grants] of Object.entries(mapping(own(value, "access")))) {
    if (!Array.isArray(grants)) continue;
    for (const [index, grant] of grants.entries() as ArrayIterator<[number, unknown]>) {
      if (typeof grant !== "string") continue;
      checkGrant({ grant, operation, path: ["access", operation, index] }, findings, scope);
    }
  }
}

/** What access can be given to depends on. */
interface AccessScope extends Pick<Scope, "authentication"> {
  /** There is a parent whose access can be asked. */
  readonly hasParent: boolean;
}

interface GrantPlace {
  readonly grant: string;
  readonly operation: string;
  readonly path: readonly PathStep[];
}

function checkGrant(
  { grant, operation, path }: GrantPlace,
  findings: Findings,
  { authentication, hasParent }: AccessScope,
): void {
  const tell = (problem: string, suggestion: string | null = null): void => {
    findings.add("AUT-2", { path }, { problem }, { suggestion });
  };
  if (grant === "anyone" || (grant === "parent" && hasParent)) return;
  if (!GRANTS.includes(grant) && !grant.startsWith("role:")) {
    tell(`"${grant}" is nobody`, unknownSuggestion(grant));
  } else if (grant === "parent") {
    tell('nobody is asked by "parent" where there is none', "Remove it, or give it a `parent`.");
  } else if (grant.startsWith("role:") && !ROLE.test(grant)) {
    tell(
      `"${grant}" names no role`,
      "A role is written role:agent: letters, digits and . _ : / - after it.",
    );
  } else if (grant === "owner" && operation === "create") {
    tell('what is created has no "owner" before', 'Did you mean "authenticated"?');
  } else if (authentication === "none") {
    tell(
      `without authentication nobody is "${grant}"`,
      "Write authentication: { scheme: bearer, ... } in service.yaml.",
    );
  }
}

function unknownSuggestion(grant: string): string {
  if (EVERYBODY.includes(grant)) return 'Did you mean "anyone"?';
  const near = nearest(grant, GRANTS);
  if (near !== null && near !== "role:") return `Did you mean "${near}"?`;
  return ROLE.test(`role:${grant}`)
    ? `Did you mean "role:${grant}"?`
    : "Callers are anyone, authenticated, owner, parent and role:<name>.";
}
