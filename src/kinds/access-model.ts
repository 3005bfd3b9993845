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
