import { arenaTokens } from "../support/arena.js";
import { atMost, holds, told, type Attack } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { pause } from "../support/pause.js";
import { bystander, getText, httpLoad } from "../support/probe.js";
import { fillShop } from "../support/shop-entities.js";

const ROWS = 200_000;
/** What anybody may ask for: the last pages of filtered lists, sorted, and counted. */
const LISTS = [
  "/api/v1/tickets?pageSize=100&pageNumber=1900&sort=title",
  "/api/v1/tickets?priority=3&sort=title,-priority&pageSize=100&pageNumber=300",
  "/api/v1/tickets?status=open&priority=2&priority=4&sort=-title&pageSize=100",
];

/** Lists over 200,000 rows, and what somebody who reads one small entity feels of them. */
export const heavyLists: Attack = {
  name: "heavy-lists",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const { tickets, merchants } = await fillShop(service.port, tokens);
    await copyRows(arena, {
      ...{ table: "tickets", idColumn: "ticketId", id: tickets[0] ?? "", count: ROWS },
      differing: { title: "'Ticket ' || (n.i * 7919 % 200003)", priority: "1 + n.i % 5" },
    });
    const small = [`/api/v1/merchants/${merchants[0]}`];
    const quiet = bystander(service.port, tokens.clerk, small);
    await pause(2000);
    const before = await quiet.stop();
    const connections = arena.database === "sqlite" ? 1 : 5;
    const lists = LISTS.map((path) => getText(path, tokens.clerk));
    const heavy = httpLoad(service.port, lists, { connections });
    const probe = bystander(service.port, tokens.clerk, small);
    await pause(arena.bySize({ short: 3000, usual: 10_000, long: 60_000 }));
    const [felt, asked] = await Promise.all([probe.stop(), heavy.stop()]);
    const isUnharmed = Object.keys(felt.statuses).join() === "200" && felt.broken === 0;
    const statuses = `${asked.answered}, ${JSON.stringify(asked.statuses)}`;
    return [
      told(
        `heavy lists of ${connections} at a time`,
        `${statuses}, p50 ${asked.p50.toFixed(0)} ms`,
      ),
      told(
        "a small read alone, p50 and p99",
        `${before.p50.toFixed(1)} ms, ${before.p99.toFixed(1)} ms`,
      ),
      told("a small read beside them, p50", `${felt.p50.toFixed(1)} ms`),
      atMost("a small read beside them, p99", felt.p99, 200, " ms"),
      holds("small reads are answered with 200", isUnharmed, JSON.stringify(felt.statuses)),
    ];
  },
};
