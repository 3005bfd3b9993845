import { expect, test } from "vitest";
import type { Answer } from "./support/client.js";
import { newKeys, sendAs, startKeyServer, startSecured, tokenOf } from "./support/secured.js";
import { startService, type Wanted } from "./support/service.js";

const NOTES = "/api/v1/notes";
const DRAFTS = ["GET", "/api/v1/drafts"] as const;
const keys = await newKeys("first");
const issuer = await startKeyServer([keys.jwk]);

/** A service that lets each caller send ten requests a minute, with a clock that stands still. */
async function limited(wanted: Wanted = {}) {
  const clock = { now: 0 };
  const limits = { requestsPerMinute: 10 };
  const service = await startService("limited", { limits, elapsed: () => clock.now, ...wanted });
  const ask = async (headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    service.send("GET", NOTES, { headers });
  return { service, clock, ask };
}

async function statuses(count: number, ask: () => Promise<Answer>): Promise<readonly number[]> {
  const answers = [];
  for (let request = 0; request < count; request += 1) answers.push((await ask()).status);
  return answers;
}

test("every operation counts, also one that is refused", async () => {
  const { service, ask } = await limited();
  for (let time = 0; time < 5; time += 1) {
    await service.send("POST", NOTES, { body: { text: "a" } });
    await service.send("DELETE", `${NOTES}/nothing`);
  }
  expect(await statuses(1, ask)).toEqual([429]);
});

test("a caller is its token's subject, and whoever has no token its address", async () => {
  const limits = { requestsPerMinute: 5 };
  const service = await startSecured(issuer.url, { limits });
  const as = (token: string | null) => () => sendAs(service, token, DRAFTS);
  const [first, again, second] = [
    await tokenOf(keys, "a"),
    await tokenOf(keys, "a", ["more"]),
    await tokenOf(keys, "b"),
  ];
  expect(await statuses(3, as(first))).toEqual([200, 200, 200]);
  expect(await statuses(3, as(again))).toEqual([200, 200, 429]);
  expect(await statuses(1, as(second))).toEqual([200]);
  // Who tries tokens out is stopped as well; that does no harm to who has one.
  expect(await statuses(6, as("a.b.c"))).toEqual([401, 401, 401, 401, 401, 429]);
  expect(await statuses(1, as(null))).toEqual([429]);
  expect(await statuses(1, as(second))).toEqual([200]);
});

test("X-Forwarded-For counts only as far as proxies are trusted", async () => {
  const untrusting = await limited();
  const forwarded = (address: string) => ({ "x-forwarded-for": address });
  for (let host = 0; host < 10; host += 1) await untrusting.ask(forwarded(`192.0.2.${host}`));
  expect((await untrusting.ask(forwarded("192.0.2.99"))).status).toBe(429);

  const { ask } = await limited({ trustedProxies: 1 });
  // What stands before the proxy's own word is the client's invention.
  const asking = (host: number) => async () =>
    ask(forwarded(`10.0.0.${host}, 192.0.2.${host % 2}`));
  for (let host = 0; host < 20; host += 1) expect((await asking(host)()).status).toBe(200);
  expect((await asking(21)()).status).toBe(429);
  expect((await ask(forwarded("2001:db8:0:1::1"))).status).toBe(200);
});

test("the addresses of one IPv6 network are one caller", async () => {
  const { ask } = await limited({ trustedProxies: 1 });
  const of = (address: string) => async () => ask({ "x-forwarded-for": address });
  for (let host = 0; host < 10; host += 1) {
    expect((await of(`2001:db8:0:1::${host}`)()).status).toBe(200);
  }
  expect((await of("2001:0DB8:0000:0001:ffff::1")()).status).toBe(429);
  expect((await of("2001:db8:0:2::1")()).status).toBe(200);
});

test("a clock that is set back or forward changes nothing", async () => {
  let now = Date.now();
  const { ask, clock: elapsed } = await limited({ clock: () => now });
  await statuses(10, ask);
  for (const hours of [-1, 2]) {
    now += hours * 3_600_000;
    expect(await statuses(1, ask)).toEqual([429]);
    elapsed.now += 6000;
    expect(await statuses(2, ask)).toEqual([200, 429]);
  }
});
