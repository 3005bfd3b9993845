import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey, type JWK } from "jose";
import { AUDIENCE, ISSUER } from "./attacked-shop.js";

/** A key of an issuer, with its public half as it stands in a JSON Web Key Set. */
export interface IssuerKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** A new key; `kid` names it. */
export async function newKey(kid: string, alg = "ES256"): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Writes the public halves into a folder, as a service reads them; returns the file. */
export function writeKeys(folder: string, keys: readonly IssuerKey[]): string {
  const file = join(folder, "jwks.json");
  writeFileSync(file, JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  return file;
}

type Claims = Readonly<Record<string, unknown>>;

/** Longer than the longest soak. */
const SECONDS = 6 * 3600;

/** The claims of a token that is accepted. */
export function goodClaims(sub: string, roles: readonly string[]): Claims {
  return { iss: ISSUER, aud: AUDIENCE, sub, roles: [...roles], exp: now() + SECONDS };
}

/** A signed token about a subject; `claims` and `header` replace what is usual, undefined leaves it out. */
export async function tokenOf(
  { privateKey, jwk }: IssuerKey,
  sub: string,
  roles: readonly string[],
  differing: {
    readonly claims?: Claims;
    readonly header?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<string> {
  const header = { alg: jwk.alg ?? "ES256", kid: jwk.kid ?? "", ...differing.header };
  const claims = JSON.stringify({ ...goodClaims(sub, roles), ...differing.claims });
  // Not the signer of tokens, which would refuse claims that are wrong on purpose.
  return new CompactSign(Buffer.from(claims)).setProtectedHeader(header).sign(privateKey);
}

/** Seconds since 1970. */
export function now(): number {
  return Math.floor(Date.now() / 1000);
}
