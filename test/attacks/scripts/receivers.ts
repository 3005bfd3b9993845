import { setTimeout as pause } from "node:timers/promises";
import { hostileReceiver, HOSTILE_RECEIVERS } from "../../support/hostile-receivers.js";
import type { HostileReceiver } from "../../support/hostile-receivers.js";
import { ask, expectAnswer } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, holds, told, type Attack, type Finding } from "../support/attack.js";
import { bystander } from "../support/probe.js";
import { newMerchant } from "../support/shop-entities.js";

const SECRETS = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"];
const PATIENCE_MILLISECONDS = 60_000;
/** The places of a sink, and connections that are being closed. */
const MOST_CONNECTIONS = 40;

/** Receivers of webhooks that never answer, never end, or answer with something else than HTTP. */
export const receivers: Attack = {
  name: "receivers",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const events = arena.bySize({ short: 5, usual: 40, long: 400 });
    const { clerk } = await arenaTokens();
    const bad = await hostileReceiver(well);
    const good = await hostileReceiver(well);
    const [hook, ...hooks] = [bad, good].map(({ url }, index) => ({
      ...{ name: `receiver ${index}`, url, secrets: SECRETS, isPrivate: true },
    }));
    const service = await arena.start({
      variant: "announcing",
      variables: { WEBHOOKS: JSON.stringify([hook, ...hooks]) },
    });
    const headers = { authorization: `Bearer ${clerk}` };
    let made = 0;
    const create = async (): Promise<void> => {
      for (let index = 0; index < events; index += 1) {
        const asked = { method: "POST", path: "/api/v1/merchants", headers, body: newMerchant() };
        await expectAnswer(service.port, asked, 201);
        made += 1;
      }
    };
    const p99: number[] = [];
    const late: string[] = [];
    let connections = 0;
    for (const [name, behave] of [["well", well] as const, ...HOSTILE_RECEIVERS]) {
      bad.behave = behave;
      const probe = bystander(service.port, clerk, ["/api/v1/merchants?pageSize=1"]);
      await create();
      if (!(await untilAll(good, made))) late.push(name);
      await pause(1000);
      const felt = await probe.stop();
      p99.push(felt.p99);
      process.stderr.write(`  ${name}: others' p99 ${felt.p99.toFixed(1)} ms\n`);
      connections = Math.max(connections, bad.connections.most);
    }
    bad.behave = well;
    const isBack = await untilAll(bad, made);
    const { status } = await ask(service.port, { path: "/readyz" });
    const { code, milliseconds } = await service.end("SIGTERM");
    bad.close();
    good.close();
    const [first = 0, ...others] = p99;
    const findings: Finding[] = [
      told("receivers", String(HOSTILE_RECEIVERS.length)),
      told("others' p99 next to a receiver that is well", `${first.toFixed(1)} ms`),
      atMost("others' p99, next to the worst receiver", Math.max(...others), 50, " ms"),
      holds("another receiver gets every event", late.length === 0, late.join() || String(made)),
      holds("a receiver that is well again gets every event", isBack, String(made)),
      atMost("connections to a receiver", connections, MOST_CONNECTIONS),
      holds("the service is ready", status === 200, String(status)),
      holds("it stops with 0", code === 0, String(code)),
      atMost("it stops within", milliseconds, 5000, " ms"),
    ];
    return findings;
  },
};

const well = (socket: { write(text: string): unknown }): void =>
  void socket.write("HTTP/1.1 204 x\r\n\r\n");

/** Whether a receiver was sent the event of each merchant. */
async function untilAll(receiver: HostileReceiver, count: number): Promise<boolean> {
  const last = performance.now() + PATIENCE_MILLISECONDS;
  const ids = (): number =>
    new Set(receiver.requests.map((request) => /webhook-id: (\S+)/.exec(request)?.[1])).size;
  while (ids() < count && performance.now() < last) await pause(100);
  return ids() >= count;
}
