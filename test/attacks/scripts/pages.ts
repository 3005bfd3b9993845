import { expectAnswer } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import type { Attack, Finding } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { getText } from "../support/probe.js";
import { rawAttack } from "../support/raw-attack.js";
import { create, fillShop, newTicket } from "../support/shop-entities.js";

const MEMORY_MEBIBYTES = 512;
const P99_MILLISECONDS = 200;

/** Pages of 100 entities of 1 MiB each, one and five at once, by readers who read and by others who do not. */
export const pages: Attack = {
  name: "pages",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const service = await arena.start({ variant: "extreme" });
    const tokens = await arenaTokens();
    const { users, merchants } = await fillShop(service.port, tokens, 1);
    const id = await create(service.port, tokens.clerk, "tickets", newTicket(users[0] ?? ""));
    const headers = { authorization: `Bearer ${tokens.clerk}` };
    const large = { body: "x".repeat(1_000_000) };
    await expectAnswer(
      service.port,
      { method: "PATCH", path: `/api/v1/tickets/${id}`, headers, body: large },
      200,
    );
    await copyRows(arena, { table: "tickets", idColumn: "ticketId", id, count: 100 });
    const bytes = getText("/api/v1/tickets?pageSize=100", tokens.clerk);
    const bounds = { memoryMebibytes: MEMORY_MEBIBYTES, p99Milliseconds: P99_MILLISECONDS };
    const other = { token: tokens.clerk, path: `/api/v1/merchants/${merchants[0]}` };
    const findings: Finding[] = [];
    for (const [name, connections, reads] of [
      ["one page of 100 MiB", 1, true],
      ["five at once", 5, true],
      ["five that nobody reads", 5, false],
    ] as const) {
      const sent = { connections, bytes, times: 1, reads, seconds: 6 };
      findings.push(...(await rawAttack(service, { name, sent, ...bounds }, other)));
    }
    return findings;
  },
};
