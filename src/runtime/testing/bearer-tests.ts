import { accessTests } from "./access-tests.js";
import type { BearerTests } from "./parts.js";
import { allRoles } from "./reach.js";

/** Tests of a service with authentication, each request with a real token. */
export const bearerTests: BearerTests = { rolesOf: allRoles, accessTests };
