import { rmSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment } from "./environment.js";
import { REPOSITORY, temporaryRoot } from "./folders.js";
import { runQuietly } from "./run.js";
import { installRuntime, RUNTIMES } from "./runtime.js";
import { smokeTest, type Outcome } from "./smoke-test.js";
import { outcomeTable } from "./table.js";

/** Every step on every Node, or on those named as arguments: `22 26`. Exits with 1 when a step fails. */
const wanted = process.argv.slice(2);
const asked = RUNTIMES.filter(({ major }) => wanted.length === 0 || wanted.includes(major));
if (asked.length === 0) throw new Error(`No such Node: ${wanted.join(", ")}`);
const root = temporaryRoot();
const outcomes: Outcome[] = [];
try {
  const archive = await packGenerator(root);
  for (const line of asked) {
    const runtime = await installRuntime(line);
    process.stdout.write(`node ${runtime.version}, npm ${runtime.npmVersion}\n`);
    outcomes.push(await smokeTest({ runtime, archive, folder: join(root, line.major) }));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
const { text, passed, failed } = outcomeTable(outcomes);
process.stdout.write(`\n${text}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Packs the generator as `npm publish` would; returns the archive's path. */
async function packGenerator(folder: string): Promise<string> {
  const printed = await runQuietly({
    command: "npm",
    // `test:nodes` has built it.
    parameters: ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
    cwd: REPOSITORY,
    env: cleanEnvironment(),
  });
  // What npm prints with --json.
  const [packed] = JSON.parse(printed) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error(`npm packed nothing:\n${printed}`);
  return join(folder, packed.filename);
}
