import type { AccessYaml } from "./resource-document.js";

/** What access is given to. */
export type AccessOperation = "read" | "create" | "update" | "delete";

/** Who may do what, with nothing left unsaid. `parent` is gone: what its parent's owner may is `parent:owner` (AUT-2). */
export type Access = Readonly<Record<AccessOperation, readonly string[]>>;

/** What access depends on beside its own words. */
export interface AccessAround {
  readonly authentication: "bearer" | "none";
  /** The access of the parent; null where there is none. */
  readonly parent: Access | null;
  /** The access of the resource that is represented (REP-7); null where there is none. */
  readonly original: Access | null;
}

/** AUT-2: what each operation of a child asks of its parent: to create a child is to change the parent. */
const ASKED_OF_PARENT = {
  read: "read",
  create: "update",
  update: "update",
  delete: "delete",
} as const;

/**
 * AUT-2: what is not said is as the original says; a child is read by whoever reads its parent; everything else is open
 * to everybody who has a name, or to everybody where nobody has one.
 */
export function resolvedAccess(own: AccessYaml, around: AccessAround): Access {
  const given = (operation: AccessOperation): readonly string[] => {
    const said = own[operation] ?? unsaid(operation, around);
    return [...new Set(said.flatMap((grant) => resolved(grant, operation, around)))];
  };
  return {
    read: given("read"),
    create: given("create"),
    update: given("update"),
    delete: given("delete"),
  };
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
  { parent }: AccessAround,
): readonly string[] {
  if (grant !== "parent") return [grant];
  return (parent?.[ASKED_OF_PARENT[operation]] ?? []).map(seenFromChild);
}

/** What a grant of a parent is called among those of its child. */
export function seenFromChild(grant: string): string {
  return isOwnership(grant) ? `parent:${grant}` : grant;
}

/** What a grant of a child is called among those of its parent; an owner of the child alone is nobody there. */
export function seenFromParent(grant: string): string {
  if (!isOwnership(grant)) return grant;
  return grant.startsWith("parent:") ? grant.slice("parent:".length) : NOBODY;
}

/** What a grant of one resource is called among those of an unrelated one: to own one says nothing of the other. */
export function seenFromAfar(grant: string): string {
  return isOwnership(grant) ? NOBODY : grant;
}

/** The grants that `wanted` does not imply: somebody has one of these and none of those (AUT-2). */
export function notImplied(
  grants: readonly string[],
  wanted: readonly string[],
  seen: (grant: string) => string,
): readonly string[] {
  return grants.filter((grant) => {
    if (wanted.includes("anyone") || wanted.includes(seen(grant))) return false;
    // Whoever has a role or owns something has a name.
    return grant === "anyone" || !wanted.includes("authenticated");
  });
}

/** No grant is written like this. */
const NOBODY = "";

function isOwnership(grant: string): boolean {
  return grant === "owner" || grant.startsWith("parent:");
}
