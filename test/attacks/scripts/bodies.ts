import { arenaTokens } from "../support/arena.js";
import { atMost, type Attack } from "../support/attack.js";
import { DEAR_BODIES, PLAIN_BODY, UNKNOWN_NAMES } from "../support/dear-bodies.js";
import { cpuMilliseconds } from "../support/process-figures.js";
import { rawAttack } from "../support/raw-attack.js";
import { fillShop } from "../support/shop-entities.js";
import { requestText, WireConnection } from "../support/wire-connection.js";

const MEMORY_MEBIBYTES = 256;
const P99_MILLISECONDS = 200;
const ALMOST = 2 ** 20 - 1;
const USERS = "/api/v1/users";
/** Each sends its bodies one behind the other. */
const DEAR_CONNECTIONS = 10;

/** Bodies of 1 MiB: 800 at once that lack their last byte, and whole ones that are dear to parse, or to ask a rule about. */
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
      path: USERS,
      token: tokens.clerk,
      body: `${body}"`,
    });
    const sent = { connections, bytes: whole.slice(0, -1), times: 1, reads: true, seconds: 10 };
    const bounds = { memoryMebibytes: MEMORY_MEBIBYTES, p99Milliseconds: P99_MILLISECONDS };
    const other = { token: tokens.clerk, path: `/api/v1/merchants/${merchants[0]}` };
    const name = `${connections} x 1 MiB, unfinished`;
    const findings = [...(await rawAttack(service, { name, sent, ...bounds }, other))];
    const times = arena.bySize({ short: 5, usual: 20, long: 200 });
    const bytesOf = (text: string) =>
      requestText({ method: "POST", path: USERS, token: tokens.customer, body: text });
    const cpuOf = async (bytes: string): Promise<number> => {
      // The first few are compiled.
      await askOften(service.port, bytes, times);
      const before = cpuMilliseconds(service.pid);
      await askOften(service.port, bytes, times);
      return cpuMilliseconds(service.pid) - before;
    };
    const plain = await cpuOf(bytesOf(PLAIN_BODY));
    for (const [what, dear, bound] of DEAR_BODIES) {
      const bytes = bytesOf(dear);
      const repeated = { connections: DEAR_CONNECTIONS, bytes, times, reads: true, seconds: 10 };
      const ratio = (await cpuOf(bytes)) / plain;
      findings.push(atMost(`1 MiB of ${what}: CPU of that of a plain text`, ratio, bound, ""));
      const attack = { name: `${DEAR_CONNECTIONS} x 1 MiB of ${what}`, sent: repeated, ...bounds };
      findings.push(...(await rawAttack(service, attack, other)));
    }
    await service.end("SIGTERM");
    const ruled = await arena.start({ variant: "ruled" });
    for (const { what, body: names, often, p99Milliseconds } of UNKNOWN_NAMES) {
      const repeated = {
        ...sent,
        connections: DEAR_CONNECTIONS,
        bytes: bytesOf(names),
        times: times * often,
      };
      const named = `${DEAR_CONNECTIONS} x ${what} where custom code has validate`;
      const attack = { ...bounds, name: named, sent: repeated, p99Milliseconds };
      findings.push(...(await rawAttack(ruled, attack, other)));
    }
    return findings;
  },
};

async function askOften(port: number, bytes: string, times: number): Promise<void> {
  const connection = new WireConnection(port);
  for (let time = 0; time < times; time += 1) await connection.ask(bytes);
  connection.close();
}
