import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { afterAll } from "vitest";
import type { BearerSettings } from "#runtime/auth/authentication";
import type { Answer, Sent } from "./client.js";
import { startService, type TestService, type Wanted } from "./service.js";

export const ISSUER = "https://login.example.com/";
export const AUDIENCE = "vault";

/** A pair of keys as an issuer has them. */
export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public one, as it stands in a JSON Web Key Set. */
  readonly jwk: JWK;
}

/** A new pair; `kid` names it. */
export async function newKeys(kid: string, alg = "ES256"): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** A server on loopback that hands out keys, and counts how often it was asked. */
export interface KeyServer {
  readonly url: string;
  readonly asked: () => number;
  /** What it answers from now on: a status other than 200 fails. */
  readonly serve: (keys: readonly JWK[], status?: number) => void;
}

/** Starts a key server that stops after the file's tests. */
export async function startKeyServer(keys: readonly JWK[]): Promise<KeyServer> {
  const state = { keys, status: 200, asked: 0 };
  const server: Server = createServer((_request, response) => {
    state.asked += 1;
    response.writeHead(state.status, { "content-type": "application/json" });
    response.end(JSON.stringify({ keys: state.keys }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => server.close());
  // It listens on a port, never on a socket file.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/jwks.json`,
    asked: () => state.asked,
    serve: (next, status = 200) => void Object.assign(state, { keys: next, status }),
  };
}

/** What differs from a token that is accepted; undefined leaves the claim out. */
export interface Differing {
  readonly claims?: JWTPayload;
  readonly kid?: string | null;
  readonly alg?: string;
}

/** A token about a subject, signed, good for five minutes from now. */
export async function tokenOf(
  { privateKey, jwk }: KeyPair,
  sub: string,
  roles: readonly string[] = [],
  { claims = {}, kid = jwk.kid ?? null, alg = "ES256" }: Differing = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: ISSUER, aud: AUDIENCE, sub, exp: now + 3600, realm_access: { roles } };
  const header = { alg, ...(kid !== null && { kid }) };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(privateKey);
}

/** The service of fixtures/secured or of another fixture, with its keys elsewhere. */
export async function startSecured(
  keys: string,
  wanted: Wanted & { readonly tenant?: string } = {},
  fixture = "secured",
): Promise<TestService> {
  const { tenant, ...others } = wanted;
  const authentication: BearerSettings = {
    scheme: "bearer",
    issuer: ISSUER,
    audience: AUDIENCE,
    keys,
    roles: "realm_access.roles",
    ...(tenant !== undefined && { tenant }),
  };
  return startService(fixture, { authentication, ...others });
}

/** A request as the bearer of a token; null: without one. */
export async function sendAs(
  service: TestService,
  token: string | null,
  [method, path]: readonly [string, string],
  body?: Sent["body"],
): Promise<Answer> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return service.send(method, path, { headers, ...(body !== undefined && { body }) });
}
