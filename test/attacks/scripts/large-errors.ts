import { ask } from "../support/ask.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, type Attack, type Finding } from "../support/attack.js";
import { bystander } from "../support/probe.js";
import { fillShop, newUser } from "../support/shop-entities.js";

const P99_MILLISECONDS = 50;
const LINE_BYTES = 256 * 1024;
/** What custom code throws: see the variant `ruled` of the shop. */
const KINDS: Readonly<Record<string, string>> = {
  errors: "100,000 errors in one",
  causes: "100,000 causes",
  values: "100,000 values with toJSON",
  bytes: "20 MB of bytes",
};

/** Custom code throws errors that hold as much as they can: each is a line of the log, and others hardly notice. */
export const largeErrors: Attack = {
  name: "large-errors",
  databases: ["sqlite"],
  async run(arena) {
    const service = await arena.start({ variant: "ruled" });
    const tokens = await arenaTokens();
    const { merchants } = await fillShop(service.port, tokens, 1);
    const times = arena.bySize({ short: 5, usual: 20, long: 20 });
    const headers = { authorization: `Bearer ${tokens.clerk}` };
    const findings: Finding[] = [];
    for (const [company, what] of Object.entries(KINDS)) {
      const probe = bystander(service.port, tokens.clerk, [`/api/v1/merchants/${merchants[0]}`]);
      const from = service.log().length;
      let others = 0;
      for (let time = 0; time < times; time += 1) {
        const body = { ...newUser(), company };
        const sent = { method: "POST", path: "/api/v1/users", headers, body };
        if ((await ask(service.port, sent)).status !== 500) others += 1;
      }
      const { p99 } = await probe.stop();
      const lines = service
        .log()
        .slice(from)
        .split("\n")
        .filter((line) => line.includes('"thrown '));
      const longest = Math.max(0, ...lines.map((line) => Buffer.byteLength(line)));
      findings.push(
        atMost(
          `${what}: answered otherwise than 500, or without a line, of ${times}`,
          Math.max(others, times - lines.length),
          0,
        ),
        atMost(`${what}: the longest line`, longest, LINE_BYTES, " bytes"),
        atMost(`${what}: others' p99`, p99, P99_MILLISECONDS, " ms"),
      );
    }
    return findings;
  },
};
