import { arenaTokens } from "../support/arena.js";
import type { Arena, Attack, Finding } from "../support/attack.js";
import { copyRows } from "../support/many-rows.js";
import { getText } from "../support/probe.js";
import { rawAttack } from "../support/raw-attack.js";
import { create, fillShop, newTicket, type Tokens } from "../support/shop-entities.js";
import { expectAnswer } from "../support/ask.js";

const SENT_BYTES = 65_000;
/** Over idle; see docs/reliability.md. */
const MEMORY_MEBIBYTES = 150;
/** Of 50 connections at once. */
const MOST_MEBIBYTES = 256;
const P99_MILLISECONDS = 50;

/** What is asked for, and by how many connections at once. */
const CASES: readonly (readonly [what: string, path: string, connections: number])[] = [
  ["the OpenAPI document", "/api/v1/openapi.json", 1],
  ["the OpenAPI document x 50", "/api/v1/openapi.json", 50],
  ["/docs x 50", "/docs", 50],
  ["an unknown path x 50", "/", 50],
  ["pages of 4 MB", "/api/v1/tickets?pageSize=100", 1],
  ["pages of 4 MB x 50", "/api/v1/tickets?pageSize=100", 50],
];

/** 65 KB of pipelined requests on a connection whose answers nobody reads. */
export const pipelining: Attack = {
  name: "pipelining",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const findings: Finding[] = [];
    const tokens = await arenaTokens();
    let isFilled = false;
    const cases = arena.size === "short" ? CASES.slice(0, 1) : CASES;
    for (const [name, path, connections] of cases) {
      // One that an attack has ended is not there for the next.
      const service = await arena.start({ variant: "extreme" });
      if (!isFilled) await fillPages(arena, service.port, tokens);
      isFilled = true;
      const { merchants } = await fillShop(service.port, tokens, 1);
      const bytes = getText(path, path.includes("tickets") ? tokens.clerk : null);
      const sent = {
        connections,
        bytes,
        times: Math.ceil(SENT_BYTES / bytes.length),
        reads: false,
        seconds: 8,
      };
      const memoryMebibytes = connections === 1 ? MEMORY_MEBIBYTES : MOST_MEBIBYTES;
      const bounds = { memoryMebibytes, p99Milliseconds: P99_MILLISECONDS };
      const other = { token: tokens.clerk, path: `/api/v1/merchants/${merchants[0]}` };
      findings.push(...(await rawAttack(service, { name, sent, ...bounds }, other)));
      await service.end("SIGKILL");
    }
    return findings;
  },
};

/** 100 tickets of 40 KB. */
async function fillPages(arena: Arena, port: number, { clerk }: Tokens): Promise<void> {
  const [user] = (await fillShop(port, { clerk, customer: clerk }, 1)).users;
  const id = await create(port, clerk, "tickets", newTicket(user ?? ""));
  const headers = { authorization: `Bearer ${clerk}` };
  const asked = {
    method: "PATCH",
    path: `/api/v1/tickets/${id}`,
    headers,
    body: { body: "x".repeat(40_000) },
  };
  await expectAnswer(port, asked, 200);
  await copyRows(arena, { table: "tickets", idColumn: "ticketId", id, count: 100 });
}
