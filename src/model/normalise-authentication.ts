import type { AccessYaml, AuthenticationYaml } from "../validate/resource-document.js";
import type { AccessModel, AuthenticationModel } from "./service-model.js";

/** Where most issuers write the roles, when the schema does not say. */
const ROLES = "roles";

/** AUT-1: without a word about it, callers are anonymous. */
export function normaliseAuthentication(yaml: AuthenticationYaml | undefined): AuthenticationModel {
  if (yaml === undefined || yaml.scheme === "none") return { scheme: "none" };
  const { scheme, issuer, audience, keys, roles = ROLES } = yaml;
  return { scheme, issuer, audience, keys, roles };
}

/** AUT-2: what is not said is open where nobody has a name, and else to everybody who has one. */
export function normaliseAccess(
  yaml: AccessYaml | undefined,
  { scheme }: AuthenticationModel,
): AccessModel {
  const unsaid = scheme === "none" ? ["anyone"] : ["authenticated"];
  return {
    read: yaml?.read ?? unsaid,
    create: yaml?.create ?? unsaid,
    update: yaml?.update ?? unsaid,
    delete: yaml?.delete ?? unsaid,
  };
}
