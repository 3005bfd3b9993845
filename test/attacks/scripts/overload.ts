import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, told, type Arena, type Attack, type Finding } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { withBareServer } from "../support/bare-server.js";
import { getText } from "../support/probe.js";
import {
  MANNERS,
  overloadOf,
  shareOf,
  wantedOf,
  type Crowd,
  type Manner,
  type Overload,
} from "../support/overloads.js";
import { fillShop } from "../support/shop-entities.js";

const GOODPUT = 0.8;
/** Where a busy machine must not fail it. */
const SHORT_GOODPUT = 0.5;
/** About as long as a ticket. */
const BARE_BODY = "x".repeat(900);
const LONGEST_WAIT = 5000;
const NORMAL_SECONDS = 5;

/** Ten times as many requests as the service can answer, whether or not it answers (S7, LIM-2). */
export const overload: Attack = {
  name: "overload",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const ids = await fillShop(service.port, tokens);
    const id = ids.tickets[0] ?? "";
    await copyRows(arena, { table: "tickets", idColumn: "ticketId", id, count: 2000 });
    const crowd = {
      connections: arena.bySize({ short: 800, usual: 2000, long: 2000 }),
      answeredSeconds: arena.bySize({ short: 2, usual: 0, long: 0 }),
      times: 10,
      seconds: arena.bySize({ short: 4, usual: 6, long: 30 }),
      peakSeconds: arena.bySize({ short: 2, usual: 3, long: 5 }),
      afterSeconds: arena.bySize({ short: 2, usual: 6, long: 6 }),
    };
    const isShort = arena.size === "short";
    const all = wantedOf(ids, tokens.clerk);
    const findings: Finding[] = [];
    for (const wanted of isShort ? all.filter(({ name }) => name === "a list of 100") : all) {
      for (const manner of isShort ? (["clients"] as const) : MANNERS) {
        const result = await overloadOf(service, wanted, manner, crowd);
        const name = `${wanted.name}, ${manner}`;
        // Of a request that costs next to nothing, no server in Node keeps more than Node's own does.
        const bare = wanted.isCheap ? await bareShare(manner, crowd) : null;
        findings.push(...findingsOf(arena, name, result, bare));
      }
    }
    return findings;
  },
};

async function bareShare(manner: Manner, crowd: Crowd): Promise<number> {
  const request = getText("/", "");
  return withBareServer(BARE_BODY, async (server) =>
    shareOf(await overloadOf(server, { request }, manner, crowd)),
  );
}

function findingsOf(
  { size }: Arena,
  name: string,
  result: Overload,
  bare: number | null,
): readonly Finding[] {
  const { peaks, goodput, perCpu, load, after, normalAfter } = result;
  const seen = `peak ${peaks.map((one) => one.toFixed(0)).join(" and ")} a second, goodput ${goodput.toFixed(0)}, by CPU time ${perCpu.toFixed(2)} of it`;
  const statuses = `${JSON.stringify(load.statuses)}, ${load.broken} broken, ${load.notSent} not sent for want of connections`;
  const bad = Object.entries(after.statuses).filter(([status]) => !status.startsWith("2"));
  const isShort = size === "short";
  // Other work on the machine takes from one of the two only.
  const share = isShort ? Math.max(shareOf(result), perCpu) : shareOf(result);
  const bound = isShort ? SHORT_GOODPUT : Math.min(GOODPUT, bare ?? GOODPUT);
  const findings = [
    told("seen", seen),
    told("statuses", statuses),
    atLeast("goodput of the peak", share, bound),
    ...(bare === null ? [] : [told("goodput of the peak of node:http alone", bare.toFixed(2))]),
    ...(isShort ? [atLeast("refused", load.statuses["503"] ?? 0, 1)] : []),
    told("p99 of 2xx", `${load.servedP99.toFixed(0)} ms`),
    atMost("503 and 429 without Retry-After", load.withoutRetryAfter, 0),
    atMost("503 and 429 that are not the contract's", load.formless, 0),
    atMost("answers other than 2xx afterwards", bad.length + after.broken, 0),
    ...(isShort
      ? [told("seconds until all is normal", `${normalAfter} s`)]
      : [
          atMost("longest wait", load.most, LONGEST_WAIT, " ms"),
          atMost("seconds until all is normal", normalAfter, NORMAL_SECONDS, " s"),
        ]),
  ];
  return findings.map((finding) => ({ ...finding, name: `${name}: ${finding.name}` }));
}
