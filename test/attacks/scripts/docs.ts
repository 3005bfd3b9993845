import { arenaTokens } from "../support/arena.js";
import type { Attack, Finding } from "../support/attack.js";
import { getText } from "../support/probe.js";
import { rawAttack } from "../support/raw-attack.js";
import { fillShop } from "../support/shop-entities.js";

const MEMORY_MEBIBYTES = 150;
const P99_MILLISECONDS = 200;
/** The largest file of the page, and the page itself. */
const PATHS = ["/docs/static/swagger-ui-bundle.js", "/docs"];

/** Many who ask once for what /docs consists of, without a token, and read it or not. */
export const docs: Attack = {
  name: "docs",
  databases: ["sqlite"],
  async run(arena) {
    const findings: Finding[] = [];
    const tokens = await arenaTokens();
    const connections = arena.bySize({ short: 100, usual: 500, long: 5000 });
    for (const path of PATHS) {
      for (const reads of [true, false]) {
        const service = await arena.start();
        const { merchants } = await fillShop(service.port, tokens, 1);
        const sent = { connections, bytes: getText(path, null), times: 1, reads, seconds: 8 };
        const name = `${connections} x ${path}, ${reads ? "read" : "not read"}`;
        const bounds = { memoryMebibytes: MEMORY_MEBIBYTES, p99Milliseconds: P99_MILLISECONDS };
        const other = { token: tokens.clerk, path: `/api/v1/merchants/${merchants[0]}` };
        findings.push(...(await rawAttack(service, { name, sent, ...bounds }, other)));
        await service.end("SIGKILL");
      }
    }
    return findings;
  },
};
