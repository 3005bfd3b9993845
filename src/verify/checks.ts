import type { Check } from "./check.js";
import { ACCESS } from "./checks/access.js";
import { ACROSS_VERSIONS } from "./checks/across-versions.js";
import { ACTIONS } from "./checks/actions.js";
import { ALIASES } from "./checks/aliases.js";
import { AUTHENTICATION } from "./checks/authentication.js";
import { BODIES } from "./checks/bodies-on-the-wire.js";
import { CHANGES } from "./checks/changes.js";
import { CHILDREN } from "./checks/children.js";
import { COLLECTIONS } from "./checks/collections.js";
import { COMMON } from "./checks/common-fields.js";
import { DELETION } from "./checks/deletion.js";
import { ERRORS } from "./checks/errors.js";
import { EVENTS } from "./checks/events.js";
import { FILTERS } from "./checks/filters.js";
import { SEARCHES } from "./checks/searches.js";
import { ITEMS } from "./checks/items.js";
import { IDENTIFIERS } from "./checks/identifiers.js";
import { IDEMPOTENCY } from "./checks/idempotency.js";
import { LIMITS } from "./checks/limits.js";
import { METHODS } from "./checks/methods.js";
import { NAMING } from "./checks/naming.js";
import { OPERATIONS } from "./checks/operations.js";
import { PAGING } from "./checks/paging.js";
import { PARAMETERS } from "./checks/parameters.js";
import { PRECONDITIONS } from "./checks/preconditions.js";
import { PROPERTY_VALUES } from "./checks/property-values.js";
import { SORTING } from "./checks/sorting.js";
import { REFERENCES } from "./checks/references.js";
import { REPRESENTATIONS } from "./checks/representations.js";
import { STATES } from "./checks/states.js";
import { TENANTS } from "./checks/tenants.js";
import { UNCHANGED } from "./checks/unchanged.js";
import { VALIDATION } from "./checks/validation.js";
import { VERSIONS } from "./checks/versions.js";

/** Every rule that can be seen from outside, and how it is tried. */
export const CHECKS: readonly Check[] = [
  ...NAMING,
  ...IDENTIFIERS,
  ...COMMON,
  ...UNCHANGED,
  ...PROPERTY_VALUES,
  ...REFERENCES,
  ...REPRESENTATIONS,
  ...BODIES,
  ...COLLECTIONS,
  ...STATES,
  ...OPERATIONS,
  ...ACTIONS,
  ...IDEMPOTENCY,
  ...CHANGES,
  ...EVENTS,
  ...METHODS,
  ...PRECONDITIONS,
  ...CHILDREN,
  ...DELETION,
  ...FILTERS,
  ...SEARCHES,
  ...ITEMS,
  ...SORTING,
  ...PAGING,
  ...PARAMETERS,
  ...ALIASES,
  ...AUTHENTICATION,
  ...ACCESS,
  ...TENANTS,
  ...ERRORS,
  ...VALIDATION,
  ...LIMITS,
  ...VERSIONS,
  ...ACROSS_VERSIONS,
];
