/**
 * Who may do what: `anyone`, `authenticated`, `role:<name>`, `claim:<path>=<value>`, and ties to the entity; any of a list
 * suffices (AUT-2). A tie is `owner`, `custom`, `owner:<property>` or `equals:<property>=<claim>`; `parent:owner` is about the
 * parent. `parent` has become what the parent says.
 */
export interface AccessModel {
  readonly read: readonly string[];
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly delete: readonly string[];
}

/** A grant that depends on the entity. */
export interface Tie {
  /** How many parents above the entity it is about. */
  readonly depth: number;
  readonly by: "owner" | "custom" | EqualityModel;
}

/** A property with the value of a claim; null: with the identifier of the caller. */
export interface EqualityModel {
  readonly property: string;
  readonly claim: string | null;
}

const TIE = /^((?:parent:)*)(?:(owner|custom)|owner:(.+)|equals:([^=]+)=(.+))$/s;

/** Reads a grant that depends on the entity; null for all others. */
export function tieOf(grant: string): Tie | null {
  const found = TIE.exec(grant);
  if (found === null) return null;
  const [, above = "", by, owned, property = "", claim = null] = found;
  const depth = above.length / "parent:".length;
  if (by === "owner" || by === "custom") return { depth, by };
  return { depth, by: { property: owned ?? property, claim } };
}

/** A claim of the token that a grant asks for: `claim:department=sales`; null for all other grants. */
export function claimOf(grant: string): { readonly path: string; readonly value: string } | null {
  const [, path, value] = /^claim:([^=]+)=(.*)$/s.exec(grant) ?? [];
  return path === undefined || value === undefined ? null : { path, value };
}

/** All grants, of every operation. */
export function grantsOf(access: AccessModel): readonly string[] {
  return [...access.read, ...access.create, ...access.update, ...access.delete];
}

/** Says whether something is closed to anybody; what is open needs no rules. */
export function isRestricted({ access }: { readonly access: AccessModel }): boolean {
  return Object.values(access).some((grants) => !grants.includes("anyone"));
}
