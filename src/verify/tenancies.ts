import { uuid5, type Caller } from "./caller.js";

/** Callers by the tenant that their tokens name (AUT-4). */
export interface Tenancies {
  /** Those of the first tenant that is named: every other rule is tried by them alone. */
  readonly home: readonly Caller[];
  /** Those of each other tenant. */
  readonly others: readonly (readonly Caller[])[];
  /** Those who are answered 403 wherever an entity has a tenant. */
  readonly nameless: readonly Caller[];
}

/** Where no token names a tenant, all of them are at home. */
export function tenanciesOf(callers: readonly Caller[]): Tenancies {
  const tenants = [...new Set(callers.map(({ tenant }) => tenant))].filter((one) => one !== null);
  const [home = [], ...others] = tenants.map((tenant) =>
    callers.filter((caller) => caller.tenant === tenant),
  );
  if (home.length === 0) return { home: callers, others, nameless: [] };
  return { home, others, nameless: callers.filter(({ tenant }) => tenant === null) };
}

/** A UUID of their own for the callers of another tenant: of what all tenants share, values have to differ as well. */
export function runIn([caller]: readonly Caller[], run: string): string {
  return uuid5(`${run} ${caller?.tenant ?? ""}`);
}
