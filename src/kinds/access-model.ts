/**
 * Who may do what: `anyone`, `authenticated`, `owner`, `role:<name>`, and `parent:owner`, who created the parent; any of
 * a list suffices (AUT-2). `parent` has become what the parent says.
 */
export interface AccessModel {
  readonly read: readonly string[];
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
}

/** Says whether something is closed to anybody; what is open needs no rules. */
export function isRestricted({ access }: { readonly access: AccessModel }): boolean {
  return Object.values(access).some((grants) => !grants.includes("anyone"));
}
