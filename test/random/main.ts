import { parseArgs } from "node:util";
import { startPostgres } from "../support/postgres-server.js";
import { serviceOf, told, Trials } from "./trial-of-service.js";

// `npm run verify:random -- --services 200 --seed 1`: services of random schemas that use every word of the language,
// with code as their author could have written it, on both databases. Verify must have nothing to say about any of
// them. Each has a seed of its own: `--services 1 --seed 57` repeats the 57th of the line above.

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});
const server = values.only === "sqlite" ? null : await startPostgres();
const trials = new Trials(server?.url ?? null);
const begun = Date.now();
let failed = 0;
try {
  const first = Number(values.seed);
  for (let seed = first; seed < first + Number(values.services); seed += 1) {
    const service = serviceOf(seed);
    const failures = await trials.failures(service, String(seed));
    if (failures.length === 0) continue;
    failed += 1;
    console.log(`seed ${seed}: ${failures.length} failures\n${failures.slice(0, 8).join("\n")}`);
    console.log(`${told(service)}\n`);
  }
} finally {
  trials.stop();
  await server?.remove();
}
const seconds = Math.round((Date.now() - begun) / 1000);
console.log(`${values.services} services in ${seconds} s: ${failed} with failures`);
process.exitCode = failed === 0 ? 0 : 1;
