import { arenaTokens } from "../support/arena.js";
import { atMost, told, type Attack, type Finding } from "../support/attack.js";
import { cpuMilliseconds } from "../support/process-figures.js";
import { requestText, WireConnection } from "../support/wire-connection.js";

const LONGEST = 15_000;
/** An odd number: the last is never closed. */
const MANY_QUOTES = '"'.repeat(LONGEST / 2 + 1);
/** What a parser may be slow at: a value that begins so, and goes on like that. */
const HEADERS: readonly (readonly [header: string, begin: string, unit: string])[] = [
  ["Accept", 'a/b;c="', ",a"],
  ["Accept", '"', ',""'],
  ["Accept", MANY_QUOTES, ","],
  ["Accept", 'a/b;c="', ',"d",'],
  ["Accept", "*/*", ",*/*"],
  ["Accept", 'a/b;c="', ';d="'],
  ["Accept", "a/b", ";q=0.1"],
  ["Accept-Encoding", 'gzip;a="', ',""'],
  ["Accept-Encoding", "gzip", ",gzip;q=0.1"],
  ["Content-Type", 'application/json;a="', ';""'],
  ["Content-Type", "application/json", ";a=b"],
  ["If-None-Match", '"a"', ',"a"'],
  ["If-None-Match", '"', ","],
  ["If-Match", '"a"', ', W/"a"'],
  ["X-Forwarded-For", "1.1.1.1", ",1.1.1.1"],
  ["Forwarded", 'for="', ',for="'],
  ["Cookie", "a=b", ";a=b"],
  ["Authorization", "Bearer", " "],
  ["Idempotency-Key", '"', '"a'],
];
const BOUND_MILLISECONDS = 10;

/** Headers of 15 KB that a parser could take long for, without a token (S14): CPU time of the service for each. */
export const acceptHeader: Attack = {
  name: "accept-header",
  databases: ["sqlite"],
  async run(arena) {
    const service = await arena.start();
    const { clerk } = await arenaTokens();
    const count = arena.bySize({ short: 3, usual: 10, long: 50 });
    const findings: Finding[] = [];
    const cost = async (header: string): Promise<number> => {
      const before = cpuMilliseconds(service.pid);
      // A number behind it: the same value again costs nothing where verdicts are remembered.
      for (let times = 0; times < count; times += 1) {
        const connection = new WireConnection(service.port);
        const asked = { method: "GET", path: "/api/v1/users", token: clerk, body: null };
        await connection.ask(requestText({ ...asked, headers: [`${header}${times}`] }));
        connection.close();
      }
      return (cpuMilliseconds(service.pid) - before) / count;
    };
    await cost("X-Warm: ");
    findings.push(told("without such a header", `${(await cost("X-Warm: ")).toFixed(1)} ms`));
    for (const [header, begin, unit] of HEADERS) {
      const value = begin + unit.repeat((LONGEST - begin.length) / unit.length);
      findings.push(
        atMost(
          `${header}: ${begin.slice(0, 25)}${unit}${unit}...`,
          await cost(`${header}: ${value}`),
          BOUND_MILLISECONDS,
          " ms",
        ),
      );
    }
    return findings;
  },
};
