import { mkdtempSync, rmSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from "jose";

import type { AuthenticationSettings, BearerSettings } from "../auth/authentication.js";

/** Who calls in a test. */
interface TestCaller {
  readonly subject: string;
  /** Left out: none. */
  readonly roles?: readonly string[];
}

/** How the service of a test knows its callers, and what each of them sends for that. */
export interface Credentials {
  readonly authentication: AuthenticationSettings;
  readonly headersOf: (caller: TestCaller) => Promise<Readonly<Record<string, string>>>;
}

/** Makes credentials for a service, by what it declares. */
export type MakeCredentials = (declared: AuthenticationSettings) => Promise<Credentials>;

/** The credentials of a service that needs none. */
export const NO_CREDENTIALS: Credentials = {
  authentication: { scheme: "none" },
  headersOf: async () => ({}),
};

const SECONDS = 3600;

/** Real credentials, signed with a new key. */
export async function bearerCredentials(declared: AuthenticationSettings): Promise<Credentials> {
  if (declared.scheme === "none") {
    return NO_CREDENTIALS;
  }
  const folder = mkdtempSync(join(tmpdir(), "keys-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const keys = await openSigningKeys(folder);
  return {
    authentication: { ...declared, keys: keys.file },
    headersOf: async ({ subject, roles = [] }) => {
      const claims = { subject, roles, seconds: SECONDS };
      const token = await signToken(keys, declared, claims);
      return { authorization: `Bearer ${token}` };
    },
  };
}

const ALGORITHM = "ES256";
const KEY_ID = "development";
const OWNER_ONLY = 0o600;

/** Keys of this machine, for development and tests: never those of an issuer. */
interface SigningKeys {
  readonly privateKey: CryptoKey | Uint8Array;
  /** The public half, as a JSON Web Key Set: what AUTH_KEYS names. */
  readonly file: string;
}

/** Whom a token is about. */
interface TokenClaims {
  readonly subject: string;
  readonly roles: readonly string[];
  /** Seconds until it expires. */
  readonly seconds: number;
}

/** The keys in a folder; they are made when there are none. */
export async function openSigningKeys(folder: string): Promise<SigningKeys> {
  const file = join(folder, "jwks.json");
  const secret = join(folder, "private.json");
  const jwk = readKey(secret) ?? (await makeKeys(file, secret));
  return { privateKey: await importJWK(jwk, ALGORITHM), file };
}

/** A token that the service accepts when its keys are these. */
export async function signToken(
  { privateKey }: SigningKeys,
  { issuer, audience, roles: path }: BearerSettings,
  { subject, roles, seconds }: TokenClaims,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(claimAt(path, roles))
    .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(privateKey);
}

/** `{ realm_access: { roles: [...] } }` */
function claimAt(path: string, roles: readonly string[]): Record<string, unknown> {
  const [first = "", ...others] = path.split(".").reverse();
  return others.reduce<Record<string, unknown>>((inner, name) => ({ [name]: inner }), {
    [first]: roles,
  });
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
