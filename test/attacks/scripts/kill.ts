import type { WritersResult, WritersSpec } from "../load/writers.js";
import { arenaTokens } from "../support/arena.js";
import { atLeast, atMost, told, type Attack } from "../support/attack.js";
import { startLoad } from "../support/load-process.js";
import { pause } from "../support/pause.js";
import { Random } from "../support/random.js";
import { verifyWrites } from "../support/verify-writes.js";

const WRITERS = 24;
const START_MILLISECONDS = 5000;

/** kill -9 while clients write, again and again: what was answered is there, whole (S1, S2). */
export const kill: Attack = {
  name: "kill",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const kills = arena.bySize({ short: 3, usual: 200, long: 1000 });
    const { clerk: token } = await arenaTokens();
    const random = new Random(1);
    const lost: string[] = [];
    const torn: string[] = [];
    const unexpected: string[] = [];
    const starts: number[] = [];
    let acknowledged = 0;
    let looked = 0;
    let service = await arena.start();
    for (let count = 0; count < kills; count += 1) {
      const spec: WritersSpec = { port: service.port, token, writers: WRITERS };
      const writers = startLoad<WritersResult>("writers", spec);
      // A new process needs a while before it writes; one in ten is killed before much has been written.
      await pause(random.oneIn(10) ? 300 : 400 + random.below(500));
      await service.end("SIGKILL");
      const written = await writers.result;
      service = await arena.start();
      starts.push(service.startMilliseconds);
      const losses = await verifyWrites({ port: service.port, token }, written);
      acknowledged += written.acknowledged;
      looked += losses.looked;
      lost.push(...losses.lost);
      torn.push(...losses.torn);
      unexpected.push(...written.unexpected);
    }
    const examples = [...lost, ...torn, ...unexpected].slice(0, 5);
    if (examples.length > 0) process.stderr.write(`${examples.join("\n")}\n`);
    return [
      told("kills", String(kills)),
      atLeast("writes acknowledged", acknowledged, kills * 50),
      told("entities looked at after the restarts", String(looked)),
      atMost("acknowledged writes lost", lost.length, 0),
      atMost("torn writes", torn.length, 0),
      atMost("writes answered with another status than they may", unexpected.length, 0),
      atMost("slowest start after a kill", Math.max(...starts), START_MILLISECONDS, " ms"),
    ];
  },
};
