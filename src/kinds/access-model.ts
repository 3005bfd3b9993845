/**
 * Who may do what: `anyone`, `authenticated`, `owner`, `custom`, `role:<name>`, and `parent:owner` and `parent:custom`,
 * which are about the parent; any of a list suffices (AUT-2). `parent` has become what the parent says.
 */
export interface AccessModel {
  readonly read: readonly string[];
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
}

/** All grants, of every operation. */
export function grantsOf(access: AccessModel): readonly string[] {
  return [...access.read, ...access.create, ...access.update, ...access.delete];
}

/** Says whether something is closed to anybody; what is open needs no rules. */
export function isRestricted({ access }: { readonly access: AccessModel }): boolean {
  return Object.values(access).some((grants) => !grants.includes("anyone"));
}
