import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, told, type Attack } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { pause } from "../support/pause.js";
import { bystander, getText, httpLoad } from "../support/probe.js";
import { fillShop } from "../support/shop-entities.js";

const TIMES = 10;
const CONNECTIONS = 2000;
const GOODPUT = 0.8;

/** Ten times as many requests as the service can answer, whether or not it answers (S7, LIM-2). */
export const overload: Attack = {
  name: "overload",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const { tickets } = await fillShop(service.port, tokens);
    // Pages that cost the service much more than its clients.
    await copyRows(arena, {
      table: "tickets",
      idColumn: "ticketId",
      id: tickets[0] ?? "",
      count: 2000,
    });
    const path = "/api/v1/tickets?pageSize=100&priority=3";
    const requests = [getText(path, tokens.clerk)];
    const seconds = arena.bySize({ short: 3, usual: 10, long: 60 });
    await httpLoad(service.port, requests, { connections: 16, seconds: 2 }).result;
    const closedLoop = () =>
      httpLoad(service.port, requests, { connections: 32, seconds: 5 }).result;
    const peak = await closedLoop();
    const capacity = peak.answered / peak.seconds;
    const load = httpLoad(service.port, requests, {
      connections: CONNECTIONS,
      seconds,
      rate: capacity * TIMES,
    });
    await pause(seconds * 1000);
    // As long as the load is sent; what waits longer is answered later.
    const after = bystander(service.port, tokens.clerk, [path]);
    await pause(10_000);
    const [normal, result] = await Promise.all([after.stop(), load.stop()]);
    // The machine may have had other work the first time.
    const again = await closedLoop();
    const most = Math.max(capacity, again.answered / again.seconds);
    const counted = result.bySecond.slice(1, seconds);
    const goodput = counted.reduce((sum, { ok }) => sum + ok, 0) / counted.length;
    const slow = normal.bySecond.findLastIndex(({ ok, p99 }) => ok === 0 || p99 > 200);
    return [
      told(
        "peak, closed loop",
        `${capacity.toFixed(0)} and ${(again.answered / again.seconds).toFixed(0)} a second, p99 ${peak.p99.toFixed(0)} ms`,
      ),
      told(
        `offered, ${TIMES} times as many`,
        `${(capacity * TIMES).toFixed(0)} a second, ${result.notSent} not sent for want of connections`,
      ),
      told("statuses", `${JSON.stringify(result.statuses)}, ${result.broken} broken`),
      atLeast("goodput of the peak", goodput / most, GOODPUT),
      told("p99 of all answers", `${result.p99.toFixed(0)} ms`),
      atMost("longest wait", result.most, 5000, " ms"),
      atMost("503 and 429 without Retry-After", result.withoutRetryAfter, 0),
      atMost("seconds until all is normal", slow + 1, 5, " s"),
    ];
  },
};
