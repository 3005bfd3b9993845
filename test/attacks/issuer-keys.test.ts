import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWK } from "jose";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { expectError } from "../contract/support/errors.js";
import { newKeys, sendAs, startSecured, tokenOf } from "../contract/support/secured.js";
import type { TestService } from "../contract/support/service.js";

// An issuer that goes away, hangs, answers nonsense or changes its keys.

const LIST = ["GET", "/api/v1/drafts"] as const;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const keys = await newKeys("first");
const second = await newKeys("second");
const WHOLE_SET = [keys.jwk];
const pass = (milliseconds: number): unknown => vi.advanceTimersByTime(milliseconds);

// Time stands still between two calls of `pass`, and only while a test runs: services measure their stop by it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** A JWKS server on loopback whose answer can be changed. */
class Issuer {
  asked = 0;
  answer: RequestListener = Issuer.keys(WHOLE_SET);
  private readonly server = createServer((request, response) => {
    this.asked += 1;
    this.answer(request, response);
  });

  static keys(jwks: readonly JWK[]): RequestListener {
    return (_request, response) => response.end(JSON.stringify({ keys: jwks }));
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    afterAll(() => {
      this.server.closeAllConnections();
      this.server.close();
    });
    // It listens on a port, never on a socket file.
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/jwks.json`;
  }
}

interface Scene {
  readonly issuer: Issuer;
  readonly service: TestService;
  /** The status of a list, asked for with a new token. */
  readonly status: (kid?: string) => Promise<number>;
}

async function newScene(answer = Issuer.keys(WHOLE_SET)): Promise<Scene> {
  const issuer = new Issuer();
  issuer.answer = answer;
  const now = (): number => Date.now();
  const service = await startSecured(await issuer.start(), { clock: now, elapsed: now });
  let subjects = 0;
  const status = async (kid = "first"): Promise<number> => {
    const pair = kid === "second" ? second : keys;
    // A new one each time: a token that was verified is remembered.
    const token = await tokenOf(pair, `s${(subjects += 1)}`, [], { kid });
    return (await sendAs(service, token, LIST)).status;
  };
  return { issuer, service, status };
}

const failing: RequestListener = (request) => request.socket.destroy();
const hanging: RequestListener = () => undefined;

test("keys serve on for a day while the issuer is down, and it is asked every five minutes at most", async () => {
  const { issuer, status } = await newScene();
  expect(await status()).toBe(200);
  issuer.answer = failing;
  for (let minute = 0; minute < 30; minute += 1) {
    pass(MINUTE);
    for (let request = 0; request < 5; request += 1) expect(await status()).toBe(200);
  }
  expect(issuer.asked).toBeLessThanOrEqual(1 + 30 / 5);
  expect(issuer.asked).toBeGreaterThan(2);
  pass(24 * HOUR);
  expect(await status()).toBe(503);
  issuer.answer = Issuer.keys(WHOLE_SET);
  pass(MINUTE);
  expect(await status()).toBe(200);
});

test("a service is not ready before it has ever had keys, and an issuer that goes away does not change that", async () => {
  const { issuer, status, service } = await newScene(failing);
  const isReady = async (): Promise<number> => (await service.send("GET", "/readyz")).status;
  expect(await isReady()).toBe(503);
  for (let probe = 0; probe < 10; probe += 1) expect(await isReady()).toBe(503);
  expect(issuer.asked).toBe(1);
  expect((await service.send("GET", "/healthz")).status).toBe(200);
  issuer.answer = Issuer.keys(WHOLE_SET);
  pass(1000);
  expect(await isReady()).toBe(200);
  issuer.answer = failing;
  pass(25 * HOUR);
  expect(await isReady()).toBe(200);
  expect(await status()).toBe(503);
});

test("an issuer that never answers holds nobody up whose key is known", async () => {
  const { issuer, status } = await newScene();
  expect(await status()).toBe(200);
  issuer.answer = hanging;
  pass(HOUR);
  const started = performance.now();
  for (let request = 0; request < 20; request += 1) expect(await status()).toBe(200);
  // It may take five seconds to be given up.
  expect(performance.now() - started).toBeLessThan(4000);
  expect(issuer.asked).toBe(2);
});

test("without any keys the first requests wait for one fetch, and the next are told at once", async () => {
  const { issuer, status, service } = await newScene(failing);
  const many = await Promise.all(Array.from({ length: 20 }, async () => status()));
  expect(new Set(many)).toEqual(new Set([503]));
  expect(issuer.asked).toBe(1);
  for (let request = 0; request < 20; request += 1) expect(await status()).toBe(503);
  expect(issuer.asked).toBe(1);
  issuer.answer = Issuer.keys(WHOLE_SET);
  pass(1000);
  expect(await status()).toBe(200);
  expect(issuer.asked).toBe(2);
  expectError(await sendAs(service, null, LIST), 401, "UnauthorizedMessage");
});

test.each([
  ["HTML", "<html>"],
  ["no key set", "[]"],
  ["no keys", '{"keys":3}'],
  ["keys that are none", '{"keys":["a"]}'],
  ["nothing", ""],
])("an issuer that answers %s takes no keys away", async (_what, text) => {
  const { issuer, status } = await newScene();
  expect(await status()).toBe(200);
  issuer.answer = (_request, response) => response.end(text);
  for (let hour = 0; hour < 3; hour += 1) {
    pass(HOUR);
    expect(await status()).toBe(200);
    expect(await status("unknown")).toBe(401);
  }
  const fresh = await newScene((_request, response) => response.end(text));
  expect(await fresh.status()).toBe(503);
});

test("tokens that name unknown keys make the issuer be asked once a minute, and are 401 at once", async () => {
  const { issuer, status } = await newScene();
  expect(await status()).toBe(200);
  issuer.answer = hanging;
  const started = performance.now();
  for (let request = 0; request < 50; request += 1) {
    expect(await status(`unknown${request}`)).toBe(401);
  }
  expect(performance.now() - started).toBeLessThan(4000);
  expect(issuer.asked).toBe(1);
  // A minute later one fetch is worth a try; who has a known key does not wait for it.
  pass(MINUTE);
  const held = Promise.all([status("unknown"), status("another")]);
  for (let request = 0; request < 5; request += 1) expect(await status()).toBe(200);
  expect(issuer.asked).toBe(2);
  issuer.answer = Issuer.keys(WHOLE_SET);
  expect(await held).toEqual([401, 401]);
  expect(issuer.asked).toBe(2);
}, 30_000);

test("a new key is found as soon as a token names it, and one that is gone is not accepted", async () => {
  const { issuer, status } = await newScene();
  expect(await status()).toBe(200);
  pass(MINUTE);
  issuer.answer = Issuer.keys([second.jwk]);
  const both = await Promise.all([status("second"), status("second"), status("second")]);
  expect(both).toEqual([200, 200, 200]);
  expect(issuer.asked).toBe(2);
  expect(await status("first")).toBe(401);
});

test("a key that cannot be used is not the token's fault", async () => {
  const { issuer, status } = await newScene(Issuer.keys([{ ...keys.jwk, x: "AA" }]));
  expect(await status()).toBe(503);
  expect(await status("unknown")).toBe(401);
  issuer.answer = Issuer.keys(WHOLE_SET);
  pass(5 * MINUTE);
  await status();
  await expect.poll(async () => status()).toBe(200);
});
