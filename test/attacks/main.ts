// Attacks a service that is built and run as a user does it: `npm run attacks -- [--only fuzz] [--database postgres]
// [--short | --long] [--node 24]`. See docs/reliability.md. Exits with 1 when a bound is missed.
import { rmSync } from "node:fs";
import { startPostgres } from "../support/postgres-server.js";
import { installRuntime, RUNTIMES } from "../nodes/runtime.js";
import { ATTACKS } from "./attacks.js";
import { runAttack } from "./support/arena.js";
import { attackOptions } from "./support/attack-options.js";
import { attackTable } from "./support/attack-table.js";
import { newBuildFolder } from "./support/attacked-shop.js";
import type { Finding } from "./support/attack.js";

const { only, databases, size, node } = attackOptions();
const unknown = only.filter((name) => !ATTACKS.some((attack) => attack.name === name));
if (unknown.length > 0) {
  throw new Error(
    `no attack ${unknown.join(", ")}; there are ${ATTACKS.map(({ name }) => name).join(", ")}`,
  );
}
const wanted = ATTACKS.filter(({ name }) => only.length === 0 || only.includes(name));
const program = node === null ? process.execPath : await nodeProgram(node);
const postgres = databases.includes("postgres") ? await startPostgres() : null;
const findings: Finding[] = [];
const builds = newBuildFolder();
try {
  const field = { size, node: program, builds, postgresUrl: postgres?.url ?? null };
  for (const attack of wanted) {
    for (const database of attack.databases.filter((name) => databases.includes(name))) {
      const began = performance.now();
      const found = await runAttack(attack, database, field);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stderr.write(`${attack.name}, ${database}: ${seconds} s\n`);
      findings.push(...found);
    }
  }
} finally {
  await postgres?.remove();
  rmSync(builds, { recursive: true, force: true });
}
process.stdout.write(`${attackTable(findings)}\n`);
const missed = findings.filter(({ isMet }) => isMet === false).length;
process.stdout.write(`\n${findings.length - missed} fine, ${missed} missed\n`);
process.exitCode = missed === 0 ? 0 : 1;

async function nodeProgram(major: string): Promise<string> {
  const line = RUNTIMES.find((one) => one.major === major);
  if (line === undefined)
    throw new Error(`--node is one of ${RUNTIMES.map((one) => one.major).join(", ")}`);
  return (await installRuntime(line)).node;
}
