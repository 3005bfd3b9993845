import { tieOf } from "../kinds/access-model.js";
import { own } from "./plain.js";
import type { AccessYaml, GrantYaml } from "./resource-document.js";

/** What access is given to. */
export type AccessOperation = "read" | "create" | "update" | "delete";

/** Who may do what, with all defaults filled in. `parent` is replaced by the parent's own grants: its `owner` is `parent:owner` here (AUT-2). */
export type Access = Readonly<Record<AccessOperation, readonly string[]>>;

/** What the defaults of access depend on. */
export interface AccessAround {
  readonly authentication: "bearer" | "none";
  /** The access of the parent; null where there is none. */
  readonly parent: Access | null;
  /** The access of the resource that is represented (REP-7); null where there is none. */
  readonly original: Access | null;
  /** The property with the identifier of the owner; absent: the creator is the owner. */
  readonly owner?: string | undefined;
}

/** AUT-2: the operation on the parent that stands for each operation on a child: creating a child updates the parent. */
const ASKED_OF_PARENT = {
  read: "read",
  create: "update",
  update: "update",
  delete: "delete",
} as const;

/**
 * AUT-2: fills in what the schema leaves out: a representation follows its original, a child is read by whoever reads
 * its parent, and everything else is open to all authenticated callers, or to anyone without authentication.
 */
export function resolvedAccess(own: AccessYaml, around: AccessAround): Access {
  const given = (operation: AccessOperation): readonly string[] => {
    const grants = own[operation] ?? unsaid(operation, around);
    return resolvedGrants(grants, operation, around);
  };
  return {
    read: given("read"),
    create: given("create"),
    update: given("update"),
    delete: given("delete"),
  };
}

/** AUT-2: grants of an action, or of an operation; `parent` is replaced by what the parent says. */
export function resolvedGrants(
  grants: readonly GrantYaml[],
  operation: AccessOperation,
  { owner, parent }: Pick<AccessAround, "owner" | "parent">,
): readonly string[] {
  const texts = grants.map((grant) => grantText(grant, owner));
  return [...new Set(texts.flatMap((grant) => resolved(grant, operation, parent)))];
}

/** Reports whether a grant has a known form; the JSON Schema refuses all others. */
export function isGrant(grant: unknown): grant is GrantYaml {
  return typeof grant === "string" || typeof own(grant, "claim") === "string";
}

/** A grant as one text: `claim:department=sales`, `equals:department=org.department`, `owner:customer.account`. */
function grantText(grant: GrantYaml, owner: string | undefined): string {
  if (typeof grant !== "string") {
    const { claim, is = "", equals } = grant;
    return equals === undefined ? `claim:${claim}=${String(is)}` : `equals:${equals}=${claim}`;
  }
  return grant === "owner" && owner !== undefined ? `owner:${owner}` : grant;
}

function unsaid(
  operation: AccessOperation,
  { authentication, parent, original }: AccessAround,
): readonly string[] {
  if (original !== null) return original[operation];
  if (parent !== null && operation === "read") return ["parent"];
  return authentication === "none" ? ["anyone"] : ["authenticated"];
}

function resolved(
  grant: string,
  operation: AccessOperation,
  parent: Access | null,
): readonly string[] {
  if (grant !== "parent") return [grant];
  return (parent?.[ASKED_OF_PARENT[operation]] ?? []).map(seenFromChild);
}

/** Translates a grant of a parent for its child. */
export function seenFromChild(grant: string): string {
  return isTie(grant) ? `parent:${grant}` : grant;
}

/** Translates a grant of a child for its parent; the owner of the child has no access to the parent by that. */
export function seenFromParent(grant: string): string {
  if (!isTie(grant)) return grant;
  return grant.startsWith("parent:") ? grant.slice("parent:".length) : NOBODY;
}

/** Translates a grant for an unrelated resource: owning an entity of one gives no access to the other. */
export function seenFromAfar(grant: string): string {
  return isTie(grant) ? NOBODY : grant;
}

/** The grants that `wanted` does not cover: a caller can have one of these without any of those (AUT-2). */
export function notImplied(
  grants: readonly string[],
  wanted: readonly string[],
  seen: (grant: string) => string,
): readonly string[] {
  return grants.filter((grant) => {
    if (wanted.includes("anyone") || wanted.includes(seen(grant))) return false;
    // Who has a role or a tie is authenticated.
    return grant === "anyone" || !wanted.includes("authenticated");
  });
}

/** A text that cannot be a grant. */
const NOBODY = "";

/** Whether a grant depends on the entity. */
function isTie(grant: string): boolean {
  return tieOf(grant) !== null;
}
