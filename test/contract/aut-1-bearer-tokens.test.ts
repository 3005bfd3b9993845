import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportSPKI, SignJWT } from "jose";
import { expect, test } from "vitest";
import { expectError } from "./support/errors.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import {
  AUDIENCE,
  ISSUER,
  newKeys,
  sendAs,
  startKeyServer,
  startSecured,
  tokenOf,
} from "./support/secured.js";

const folder = temporaryFolder();

const keys = await newKeys("first");
const second = await newKeys("second");
const stranger = await newKeys("first");
const server = await startKeyServer([keys.jwk, second.jwk]);
const service = await startSecured(server.url);
const LIST = ["GET", "/api/v1/drafts"] as const;
const NOW = Math.floor(Date.now() / 1000);

test("a token of a key from a JWKS over HTTP is accepted, and the keys are fetched once", async () => {
  for (const sub of ["a", "b", "b"]) {
    expect((await sendAs(service, await tokenOf(keys, sub), LIST)).status).toBe(200);
  }
  expect((await sendAs(service, await tokenOf(second, "a"), LIST)).status).toBe(200);
  expect(server.asked()).toBe(1);
});

test.each(["RS256", "PS256", "ES256", "EdDSA"])(
  "a token signed with %s is accepted",
  async (alg) => {
    const pair = await newKeys("only", alg);
    const file = join(folder, `${alg}.json`);
    writeFileSync(file, JSON.stringify({ keys: [pair.jwk] }));
    const other = await startSecured(file);
    const token = await tokenOf(pair, "a", [], { alg });
    expect((await sendAs(other, token, LIST)).status).toBe(200);
    expect(
      (await sendAs(other, await tokenOf(pair, "a", [], { alg, kid: null }), LIST)).status,
    ).toBe(200);
    const forged = await tokenOf(await newKeys("only", alg), "a", [], { alg });
    expectError(await sendAs(other, forged, LIST), 401, "UnauthorizedMessage");
  },
);

const spki = new TextEncoder().encode(await exportSPKI(keys.publicKey));
const jwkBytes = new TextEncoder().encode(JSON.stringify(keys.jwk));
const claims = { iss: ISSUER, aud: AUDIENCE, sub: "a", exp: NOW + 300 };
const hs256 = async (secret: Uint8Array): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(secret);
const differing = async (other: Record<string, unknown>): Promise<string> =>
  tokenOf(keys, "a", [], { claims: other });
const good = await tokenOf(keys, "a");

const HOSTILE: Readonly<Record<string, string>> = {
  "HS256 with the public key as PEM": await hs256(spki),
  "HS256 with the public key as JWK": await hs256(jwkBytes),
  "another issuer": await differing({ iss: "https://login.example.org/" }),
  "an issuer without its slash": await differing({ iss: "https://login.example.com" }),
  "no issuer": await differing({ iss: undefined }),
  "another audience": await differing({ aud: "helpdesk" }),
  "no audience": await differing({ aud: undefined }),
  "expired for longer than the skew": await differing({ exp: NOW - 120 }),
  "no end": await differing({ exp: undefined }),
  "an end that is no number": await differing({ exp: "tomorrow" as unknown as number }),
  "not valid yet": await differing({ nbf: NOW + 120 }),
  "no subject": await differing({ sub: undefined }),
  "an empty subject": await differing({ sub: "" }),
  "another key under a known name": await tokenOf(stranger, "a"),
  "a key that nobody knows": await tokenOf(keys, "a", [], { kid: "third" }),
  "no key named where there are two": await tokenOf(keys, "a", [], { kid: null }),
  "longer than 8 KiB": await differing({ padding: "x".repeat(9000) }),
};

test.each(Object.keys(HOSTILE))("a token is refused: %s", async (name) => {
  const answer = await sendAs(service, HOSTILE[name] ?? "", LIST);
  const { description } = expectError(answer, 401, "UnauthorizedMessage");
  expect(answer.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  expect(description).toBeUndefined();
});

const NO_BEARER = "Bearer";
const INVALID = 'Bearer error="invalid_token"';

// RFC 6750 3.1: what is of another scheme is answered without an error code.
test.each([
  ["another scheme", "Basic YTpi", NO_BEARER],
  ["no token", "Bearer", INVALID],
])("credentials are refused: %s", async (_name, authorization, challenge) => {
  const answer = await service.send(...LIST, { headers: { authorization } });
  expectError(answer, 401, "UnauthorizedMessage");
  expect(answer.headers["www-authenticate"]).toBe(challenge);
});

test("two Authorization headers are refused, also when both are good", async () => {
  const line = `Authorization: Bearer ${good}\r\n`;
  const head = "GET /api/v1/drafts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  expect((await service.raw(`${head}${line}\r\n`)).toString()).toMatch(/^HTTP\/1.1 200/);
  expect((await service.raw(`${head}${line}${line}\r\n`)).toString()).toMatch(/^HTTP\/1.1 401/);
});

test.each(["bearer", "BEARER"])("the scheme is written in any case: %s", async (scheme) => {
  const headers = { authorization: `${scheme} ${good}` };
  expect((await service.send(...LIST, { headers })).status).toBe(200);
});

test("a token that is not valid is refused also where anyone may", async () => {
  expect((await sendAs(service, null, ["GET", "/api/v1/pamphlets"])).status).toBe(200);
  expect((await sendAs(service, "a.b.c", ["GET", "/api/v1/pamphlets"])).status).toBe(401);
});

test("clocks may differ by 60 seconds, and a remembered token ends with its time", async () => {
  const clock = { now: Date.now() };
  const other = await startSecured(server.url, { clock: () => clock.now });
  const end = Math.floor(clock.now / 1000) + 10;
  const token = await tokenOf(keys, "a", [], { claims: { exp: end } });
  clock.now = (end + 59) * 1000;
  expect((await sendAs(other, token, LIST)).status).toBe(200);
  clock.now = (end + 61) * 1000;
  expect((await sendAs(other, token, LIST)).status).toBe(401);
});

test("a clock that is set back keeps no token whose key is withdrawn", async () => {
  const gone = await newKeys("gone");
  const issuer = await startKeyServer([gone.jwk]);
  const time = { clock: Date.now(), elapsed: 0 };
  const options = { clock: () => time.clock, elapsed: () => time.elapsed };
  const other = await startSecured(issuer.url, options);
  const token = await tokenOf(gone, "a");
  expect((await sendAs(other, token, LIST)).status).toBe(200);
  issuer.serve([keys.jwk]);
  time.clock -= 3_600_000;
  // The keys are fetched again after five minutes, and nobody waits for them.
  time.elapsed += 300_000;
  expect((await sendAs(other, token, LIST)).status).toBe(200);
  await expect.poll(() => issuer.asked()).toBe(2);
  time.elapsed += 60_000;
  expect((await sendAs(other, token, LIST)).status).toBe(401);
});

test("keys that cannot be fetched are 503, and the service recovers", async () => {
  const failing = await startKeyServer([]);
  failing.serve([], 500);
  const clock = { now: Date.now() };
  const other = await startSecured(failing.url, { elapsed: () => clock.now });
  const answer = await sendAs(other, good, LIST);
  expectError(answer, 503, "ServiceUnavailableMessage");
  expect(answer.headers["retry-after"]).toBeDefined();
  expect(answer.text).not.toContain("127.0.0.1");
  failing.serve([keys.jwk]);
  clock.now += 1000 * Number(answer.headers["retry-after"]);
  expect((await sendAs(other, good, LIST)).status).toBe(200);
});

test.each([
  ["no file", null, "cannot be read"],
  ["no key set", "[]", "not a JSON Web Key Set"],
  ["no keys", '{"keys":[]}', "are none"],
  ["a private key", '{"keys":[{"kty":"EC","d":"x"}]}', "contain a private key"],
  ["a symmetric key", '{"keys":[{"kty":"oct","k":"x"}]}', "contain a private key"],
])("a service does not start with keys that are none: %s", async (name, text, problem) => {
  const file = join(folder, `${name}.json`);
  if (text !== null) writeFileSync(file, text);
  await expect(startSecured(file)).rejects.toThrow(problem);
});

test("keys from a URL come over https", async () => {
  await expect(startSecured("http://login.example.com/jwks.json")).rejects.toThrow("https");
});
