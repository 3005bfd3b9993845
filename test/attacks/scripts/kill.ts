import type { WritersResult, WritersSpec } from "../load/writers.js";
import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, told, type Attack } from "../support/attack.js";
import { startLoad } from "../support/load-process.js";
import { Random } from "../support/random.js";
import { verifyWrites } from "../support/verify-writes.js";

const WRITERS = 24;
const START_MILLISECONDS = 10_000;

/** kill -9 while clients write, again and again: what was answered is there, whole (S1, S2). */
export const kill: Attack = {
  name: "kill",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const kills = arena.bySize({ short: 3, usual: 200, long: 1000 });
    const { clerk: token } = await arenaTokens();
    const random = new Random(1);
    const most = arena.bySize({ short: 150, usual: 800, long: 2000 });
    const lost: string[] = [];
    const torn: string[] = [];
    const unexpected: string[] = [];
    const starts: number[] = [];
    let acknowledged = 0;
    let busy = 0;
    let looked = 0;
    let service = await arena.start();
    for (let count = 0; count < kills; count += 1) {
      // One in ten soon after the start, the others in the midst of it.
      const killAfter = 1 + random.below(random.oneIn(10) ? 10 : most);
      const { port, pid } = service;
      const spec: WritersSpec = { port, pid, killAfter, token, writers: WRITERS };
      const written = await startLoad<WritersResult>("writers", spec).result;
      await service.end("SIGKILL");
      service = await arena.start();
      starts.push(service.startMilliseconds);
      const losses = await verifyWrites({ port: service.port, token }, written);
      acknowledged += written.acknowledged;
      busy += written.busy;
      looked += losses.looked;
      lost.push(...losses.lost);
      torn.push(...losses.torn);
      unexpected.push(...written.unexpected);
    }
    const examples = [...lost, ...torn, ...unexpected].slice(0, 5);
    if (examples.length > 0) process.stderr.write(`${examples.join("\n")}\n`);
    return [
      told("kills", String(kills)),
      atLeast("writes acknowledged", acknowledged, kills),
      told("writes answered with 503", String(busy)),
      told("entities looked at after the restarts", String(looked)),
      atMost("acknowledged writes lost", lost.length, 0),
      atMost("torn writes", torn.length, 0),
      atMost("writes answered with another status than they may", unexpected.length, 0),
      told("a start after a kill, in the middle", `${middle(starts).toFixed(0)} ms`),
      atMost("slowest start after a kill", Math.max(...starts), START_MILLISECONDS, " ms"),
    ];
  },
};

function middle(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
