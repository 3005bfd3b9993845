import type { Subject } from "../base/common-fields.js";
import { forbidden, unauthorized } from "../base/errors.js";
import type { Filter, ValueFilter } from "./query.js";

/** The stored path of an entity's tenant, and its column (AUT-4). No body, parameter or condition can name it. */
export const TENANT = "row_tenant";

/** The properties of a caller that decide about its tenant. */
export interface TenantCaller {
  readonly isAnonymous: boolean;
  readonly tenant?: string;
  readonly isUnrestricted?: boolean;
  readonly isOfAllTenants?: boolean;
}

/** The caller of the service's own work for all tenants. */
export const EVERYBODY: TenantCaller = { isAnonymous: false, isOfAllTenants: true };

/** Holds for every row, since a tenant is never null. */
const EVERY_TENANT: ValueFilter = {
  path: TENANT,
  contains: false,
  values: [],
  orNull: true,
  comparison: "noneOf",
};

/**
 * Returns the filter of the entities of the caller's tenant. Throws 401 for an anonymous caller, 403 for a caller whose token
 * does not name a tenant, and `MissingTenant` in a job that does not.
 */
export function tenantFilter(caller: TenantCaller): ValueFilter {
  if (caller.isOfAllTenants === true) return EVERY_TENANT;
  return { path: TENANT, contains: false, values: [tenantOf(caller)], orNull: false };
}

/** Returns the tenant of what the caller creates. Throws as `tenantFilter` does, and `MissingTenant` for all tenants. */
export function tenantOf(caller: TenantCaller): string {
  const { isAnonymous, isOfAllTenants = false, isUnrestricted = false, tenant } = caller;
  if (isOfAllTenants) throw new MissingTenant();
  if (tenant !== undefined) return tenant;
  if (isUnrestricted) throw new MissingTenant();
  throw isAnonymous
    ? unauthorized()
    : forbidden({ description: "The token does not name a tenant." });
}

/** Custom code has to say for which tenant it works. */
class MissingTenant extends Error {
  override readonly name = "MissingTenant";
  override readonly message =
    'There is no tenant here. Name it with services.inTenant("acme"). services.allTenants reads, changes and deletes in all of them.';
}

/** Reports whether filters let every entity pass. */
export function isUnfiltered(filters: readonly Filter[]): boolean {
  return filters.every((filter) => filter === EVERY_TENANT);
}

/** Identifies a caller in its tenant: the same subject in two tenants is two callers. */
export function identityOf({
  subject,
  tenant,
}: {
  readonly subject: Subject;
  readonly tenant?: string;
}): string {
  return tenant === undefined ? subject.subjectId : `${subject.subjectId} ${tenant}`;
}
