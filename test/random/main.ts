import { parseArgs } from "node:util";
import { startPostgres } from "../support/postgres-server.js";
import { testFailures } from "./service-tests.js";
import { projectOf, serviceOf, told, Trials } from "./trial-of-service.js";

// `npm run verify:random -- --services 200 --seed 1`: services of random schemas that use every word of the language,
// with code as their author could have written it, on both databases. Verify must have nothing to say about any of
// them. `--tests 20` also compiles the first 20 and runs the tests that were generated for them. Each has a seed of its
// own: `--services 1 --seed 57` repeats the 57th of the line above.

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "0" },
  },
});
/** So often it is told how far it is. */
const EVERY = 20;

const begun = Date.now();
const server = await startPostgres({ fsync: "off" });
const trials = new Trials(server.url);
const end = async (): Promise<void> => {
  trials.stop();
  await server.remove();
};
const tested = async (seed: number): Promise<readonly string[]> => {
  const project = await projectOf(serviceOf(seed));
  return Array.isArray(project) ? [] : testFailures(project, String(seed));
};
process.once("SIGINT", () => void end().then(() => process.exit(130)));

const first = Number(values.seed);
const count = Number(values.services);
let failed = 0;
for (let index = 0; index < count; index += 1) {
  const seed = first + index;
  const service = serviceOf(seed);
  const found = await trials.failures(service, { name: String(seed), leave: seed % 2 === 0 });
  const failures = [...found, ...(index < Number(values.tests) ? await tested(seed) : [])];
  if (failures.length > 0) {
    failed += 1;
    console.log(
      `seed ${seed}: ${failures.length} failures\n${failures.join("\n")}\n${told(service)}`,
    );
  }
  if ((index + 1) % EVERY === 0) console.log(`${index + 1} services: ${failed} with failures`);
}
await end();
const seconds = Math.round((Date.now() - begun) / 1000);
console.log(`${count} services in ${seconds} s: ${failed} with failures`);
process.exitCode = failed === 0 ? 0 : 1;
