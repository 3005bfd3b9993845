import { StartRefusal } from "../base/errors.js";

/** Whose tokens are accepted, and what is read from them (AUT-1). */
export interface BearerSettings {
  readonly scheme: "bearer";
  /** What `iss` of a token must be. */
  readonly issuer: string;
  /** What `aud` of a token must name. */
  readonly audience: string;
  /** A JWKS: an https URL, http on this machine, or a file. */
  readonly keys: string;
  /** Where the roles stand in a token: `realm_access.roles`. */
  readonly roles: string;
}

/** How callers are known; `none`: everybody is anonymous (AUT-1). */
export type AuthenticationSettings = { readonly scheme: "none" } | BearerSettings;

type Variables = Readonly<Record<string, string | undefined>>;

const SCHEMES = ["bearer", "none"];

/**
 * The schema's authentication with what the environment says otherwise: AUTH_SCHEME, AUTH_ISSUER, AUTH_AUDIENCE,
 * AUTH_KEYS. Throws `StartRefusal`, in production also for a scheme `none` that nobody asked for by name (AUT-1).
 */
export function readAuthentication(
  variables: Variables,
  declared: AuthenticationSettings,
): AuthenticationSettings {
  const scheme = variables["AUTH_SCHEME"] || null;
  if (scheme !== null && !SCHEMES.includes(scheme)) {
    throw new StartRefusal(`AUTH_SCHEME must be one of ${SCHEMES.join(", ")}, and is "${scheme}".`);
  }
  if (scheme === "none") return { scheme };
  if (declared.scheme === "bearer") return withVariables(variables, declared);
  if (scheme === "bearer") {
    throw new StartRefusal(
      "AUTH_SCHEME=bearer needs `scheme: bearer` in service.yaml, which decides who may do what.",
    );
  }
  if (variables["NODE_ENV"] === "production") {
    throw new StartRefusal(
      "it has no authentication, and NODE_ENV is production. If everybody may use it, set AUTH_SCHEME=none.",
    );
  }
  return declared;
}

function withVariables(variables: Variables, declared: BearerSettings): BearerSettings {
  return {
    ...declared,
    issuer: variables["AUTH_ISSUER"] || declared.issuer,
    audience: variables["AUTH_AUDIENCE"] || declared.audience,
    keys: variables["AUTH_KEYS"] || declared.keys,
  };
}
