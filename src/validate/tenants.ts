import { isMapping } from "./plain.js";

/** The words of a resource on which its tenant depends. */
interface TenantWords<Tenant> {
  readonly tenant?: Tenant | "none" | undefined;
  readonly parent?: unknown;
}

/** AUT-4: the tenant of a resource: its own word, or that of the nearest of its ancestors, or the service's; null: it has none. */
export function tenantOf<Tenant extends object>(
  resource: TenantWords<Tenant>,
  ofService: Tenant | undefined,
  find: (plural: string) => TenantWords<Tenant> | undefined,
): Tenant | null {
  const seen = new Set<unknown>();
  let one: TenantWords<Tenant> | undefined = resource;
  while (one !== undefined && one.tenant === undefined && !seen.has(one)) {
    // A circle of parents is refused elsewhere.
    seen.add(one);
    one = typeof one.parent === "string" ? find(one.parent) : undefined;
  }
  const said = one?.tenant ?? ofService;
  return isMapping(said) ? said : null;
}
