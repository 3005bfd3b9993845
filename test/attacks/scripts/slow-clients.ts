import type { SlowResult, SlowSpec } from "../load/slow-clients.js";
import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, holds, told, type Attack } from "../support/attack.js";
import { startLoad } from "../support/load-process.js";
import { pause } from "../support/pause.js";
import { bystander, getText } from "../support/probe.js";
import { fillShop } from "../support/shop-entities.js";

/** The time for a request is 3 seconds in this variant; what is late is looked for once in a while. */
const PATIENCE_MILLISECONDS = 20_000;

/** Headers and bodies that come a byte a second, and answers that nobody reads (S8). */
export const slowClients: Attack = {
  name: "slow-clients",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const third = arena.bySize({ short: 20, usual: 333, long: 1000 });
    const service = await arena.start({ variant: "extreme" });
    const tokens = await arenaTokens();
    const { users } = await fillShop(service.port, tokens);
    const probe = bystander(service.port, tokens.clerk, [`/api/v1/users/${users[0]}`]);
    const spec: SlowSpec = {
      ...{ port: service.port, token: tokens.clerk, headers: third, bodies: third, readers: third },
      ...{ wanted: getText("/api/v1/users", tokens.clerk), times: 1 },
    };
    const slow = startLoad<SlowResult>("slow-clients", spec);
    const result = await Promise.race([slow.result, pause(PATIENCE_MILLISECONDS).then(slow.stop)]);
    const { p50, p99, statuses, broken } = await probe.stop();
    const isUnharmed = Object.keys(statuses).join() === "200" && broken === 0;
    return [
      told("slow connections", String(3 * third)),
      told("others' p50", `${p50.toFixed(1)} ms`),
      atMost("others' p99", p99, 200, " ms"),
      holds(
        "others are answered with 200",
        isUnharmed,
        `${JSON.stringify(statuses)}, ${broken} broken`,
      ),
      atLeast("slow senders that are told 408 in JSON and closed", result.refused, 2 * third),
      told("all of them within", `${(result.milliseconds / 1000).toFixed(1)} s, of a limit of 3 s`),
    ];
  },
};
