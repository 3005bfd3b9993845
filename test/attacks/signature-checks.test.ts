import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { SignatureChecks } from "#runtime/auth/bearer";
import {
  newKeys,
  sendAs,
  startKeyServer,
  startSecured,
  tokenOf,
} from "../contract/support/secured.js";

const DRAFTS = "/api/v1/drafts";
const key = await newKeys("first");
const keys = await startKeyServer([key.jwk]);
const service = await startSecured(keys.url);

test("only so many signatures are checked at a time, in the order of their arrival", async () => {
  const checks = new SignatureChecks();
  const begun: number[] = [];
  const all = Array.from({ length: 20 }, async (_, index) => {
    await checks.enter();
    begun.push(index);
  });
  await pause(0);
  const most = begun.length;
  expect(most).toBeLessThan(20);
  for (let left = 0; left < 20; left += 1) {
    checks.leave();
    await pause(0);
    expect(begun.length).toBe(Math.min(20, most + left + 1));
  }
  await Promise.all(all);
  expect(begun).toEqual(begun.map((_, index) => index));
});

test("whoever has waited for two seconds is told to come again", async () => {
  const checks = new SignatureChecks();
  const entered = Array.from({ length: 9 }, async () => checks.enter());
  const late = expect(entered[8]).rejects.toThrow("Too many tokens");
  await pause(2100);
  checks.leave();
  await late;
  // The place that nobody took is there for the next.
  await checks.enter();
});

test("a flood of forged tokens is refused, and a valid one among them is not", async () => {
  const [head, , signature] = (await tokenOf(key, "a")).split(".");
  const forged = (index: number): string => {
    const claims = { iss: "x", aud: "vault", sub: `s${index}`, exp: 2e9 };
    return [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  };
  const flood = Array.from({ length: 300 }, async (_, index) =>
    sendAs(service, forged(index), ["GET", DRAFTS]),
  );
  const valid = sendAs(service, await tokenOf(key, "b"), ["GET", DRAFTS]);
  expect((await valid).status).toBe(200);
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
  expect([...statuses]).toEqual([401]);
});
