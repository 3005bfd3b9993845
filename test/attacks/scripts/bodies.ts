import { arenaTokens } from "../support/arena.js";
import type { Attack } from "../support/attack.js";
import { rawAttack } from "../support/raw-attack.js";
import { fillShop } from "../support/shop-entities.js";
import { requestText } from "../support/wire-connection.js";

const MEMORY_MEBIBYTES = 256;
const P99_MILLISECONDS = 200;
const ALMOST = 2 ** 20 - 1;

/** Bodies of 1 MiB that lack their last byte, 800 at once. */
export const bodies: Attack = {
  name: "bodies",
  databases: ["sqlite"],
  async run(arena) {
    const service = await arena.start();
    const tokens = await arenaTokens();
    const { merchants } = await fillShop(service.port, tokens, 1);
    const connections = arena.bySize({ short: 100, usual: 800, long: 2000 });
    const body = `{"firstName":"${"x".repeat(ALMOST - 14)}`;
    const whole = requestText({
      method: "POST",
      path: "/api/v1/users",
      token: tokens.clerk,
      body: `${body}"`,
    });
    const sent = { connections, bytes: whole.slice(0, -1), times: 1, reads: true, seconds: 10 };
    const bounds = { memoryMebibytes: MEMORY_MEBIBYTES, p99Milliseconds: P99_MILLISECONDS };
    const other = { token: tokens.clerk, path: `/api/v1/merchants/${merchants[0]}` };
    const name = `${connections} x 1 MiB, unfinished`;
    return rawAttack(service, { name, sent, ...bounds }, other);
  },
};
