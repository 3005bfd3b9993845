import type { AccessModel } from "../kinds/access-model.js";
import { resolvedAccess, type AccessAround } from "../validate/grants.js";
import type { AccessYaml, AuthenticationYaml } from "../validate/resource-document.js";
import type { AuthenticationModel } from "./service-model.js";

/** Where most issuers write the roles, when the schema does not say. */
const ROLES = "roles";

/** AUT-1: without a word about it, callers are anonymous. */
export function normaliseAuthentication(
  yaml: AuthenticationYaml | undefined,
  tenant: string | null,
): AuthenticationModel {
  if (yaml === undefined || yaml.scheme === "none") return { scheme: "none" };
  const { scheme, issuer, audience, keys, roles = ROLES } = yaml;
  return { scheme, issuer, audience, keys, roles, tenant };
}

/** AUT-2: who may do what, where the schema says it and where it does not. */
export function normaliseAccess(
  yaml: AccessYaml | undefined,
  { scheme }: AuthenticationModel,
  around: Omit<AccessAround, "authentication">,
): AccessModel {
  return resolvedAccess(yaml ?? {}, { ...around, authentication: scheme });
}
