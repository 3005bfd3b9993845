import type { FuzzResult, FuzzSpec } from "../load/fuzzer.js";
import { arenaTokens } from "../support/arena.js";
import { atMost, holds, told, type Attack } from "../support/attack.js";
import { startLoad } from "../support/load-process.js";
import { MemoryTrend } from "../support/memory-trend.js";
import { fillShop } from "../support/shop-entities.js";

/** By as much a process may grow while it answers, with what its garbage collector leaves for later. */
const MEMORY_MEBIBYTES = 48;

/** Random and hostile requests: mutated ones of all operations, and broken bytes (S4, S6). */
export const fuzz: Attack = {
  name: "fuzz",
  databases: ["sqlite", "postgres"],
  async run(arena) {
    const count = arena.bySize({ short: 2000, usual: 50_000, long: 1_000_000 });
    const service = await arena.start();
    const tokens = await arenaTokens();
    const ids = await fillShop(service.port, tokens);
    const memory = new MemoryTrend(service.pid);
    const seed = Date.now() % 1_000_000;
    const spec: FuzzSpec = { port: service.port, tokens, ids, count, connections: 32, seed };
    const result = await startLoad<FuzzResult>("fuzzer", spec).result;
    memory.stop();
    if (result.examples.length > 0) process.stderr.write(`${result.examples.join("\n\n")}\n`);
    const isLong = arena.size !== "short";
    return [
      told(`requests, seed ${seed}`, `${result.sent}, ${result.answered} answered`),
      told("statuses", JSON.stringify(result.statuses)),
      atMost("answers of 5xx", result.faults, 0),
      atMost("errors without the contract's body", result.formless, 0),
      holds("the process lives", service.isAlive(), String(service.isAlive())),
      ...(isLong ? [atMost("memory grows", memory.growth(), MEMORY_MEBIBYTES, " MiB")] : []),
    ];
  },
};
