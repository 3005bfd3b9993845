import { mkdtempSync, rmSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from "jose";

import type { AuthenticationSettings, BearerSettings } from "../auth/authentication.js";

/** A caller in a test. */
interface TestCaller {
  readonly subject: string;
  /** Defaults to none. */
  readonly roles?: readonly string[];
  /** Further claims of the token, by their paths: `{ org: "acme" }`. */
  readonly claims?: PathClaims;
}

/** Claims by their dotted paths. */
type PathClaims = Readonly<Record<string, unknown>>;

/** The authentication of a service in tests, and the headers of its callers. */
export interface Credentials {
  readonly authentication: AuthenticationSettings;
  readonly headersOf: (caller: TestCaller) => Promise<Readonly<Record<string, string>>>;
}

/** Makes credentials for a service with the declared authentication. */
export type MakeCredentials = (declared: AuthenticationSettings) => Promise<Credentials>;

/** The credentials of a service without authentication. */
export const NO_CREDENTIALS: Credentials = {
  authentication: { scheme: "none" },
  headersOf: async () => ({}),
};

const SECONDS = 3600;

/** AUT-4: the tenant of callers in tests that name none. */
const TEST_TENANT = "test";

/** Creates a key, and signs tokens with it for tests. A service without authentication gets none. */
export async function bearerCredentials(declared: AuthenticationSettings): Promise<Credentials> {
  if (declared.scheme === "none") {
    return NO_CREDENTIALS;
  }
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const keys = await openSigningKeys(folder);
  return {
    authentication: { ...declared, keys: keys.file },
    headersOf: async ({ subject, roles = [], claims: own = {} }) => {
      const { tenant } = declared;
      const all = tenant === undefined ? own : { [tenant]: TEST_TENANT, ...own };
      const claims = { subject, roles, claims: all, seconds: SECONDS };
      const token = await signToken(keys, declared, claims);
      return { authorization: `Bearer ${token}` };
    },
  };
}

const ALGORITHM = "ES256";
const KEY_ID = "development";
const OWNER_ONLY = 0o600;

/** Keys of this machine for development and tests, which no issuer uses. */
interface SigningKeys {
  readonly privateKey: CryptoKey | Uint8Array;
  /** The file with the public keys, as a JSON Web Key Set for AUTH_KEYS. */
  readonly file: string;
}

interface TokenClaims {
  readonly subject: string;
  readonly roles: readonly string[];
  readonly claims: PathClaims;
  /** Seconds until the token expires. */
  readonly seconds: number;
}

/** Opens the keys in a folder, or creates them. */
export async function openSigningKeys(folder: string): Promise<SigningKeys> {
  const file = join(folder, "jwks.json");
  const secret = join(folder, "private.json");
  const jwk = readKey(secret) ?? (await makeKeys(file, secret));
  return { privateKey: await importJWK(jwk, ALGORITHM), file };
}

/** Signs a token that a service with these keys accepts. */
export async function signToken(
  { privateKey }: SigningKeys,
  { issuer, audience, roles: path }: BearerSettings,
  { subject, roles, claims, seconds }: TokenClaims,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(nestedClaims({ [path]: roles, ...claims }))
    .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(privateKey);
}

/** `{ realm_access: { roles: [...] } }` for `realm_access.roles` */
function nestedClaims(claims: PathClaims): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(claims)) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let holder = made;
    // Each holder is one of these objects, unless a claim is inside a value, which the value loses to.
    for (const name of names) holder = (holder[name] = Object(holder[name])) as typeof made;
    holder[last] = value;
  }
  return made;
}

function readKey(path: string): JWK | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function makeKeys(file: string, secret: string): Promise<JWK> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const named = { alg: ALGORITHM, kid: KEY_ID, use: "sig" };
  const keys = [{ ...(await exportJWK(publicKey)), ...named }];
  const jwk = await exportJWK(privateKey);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ keys }, null, 2)}\n`);
  writeFileSync(secret, `${JSON.stringify(jwk)}\n`, { mode: OWNER_ONLY });
  return jwk;
}
