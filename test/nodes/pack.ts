import { join } from "node:path";
import { cleanEnvironment } from "./environment.js";
import { REPOSITORY } from "./folders.js";
import { runQuietly } from "./run.js";

/** Packs the generator as `npm publish` would; returns the archive's path. */
export async function packGenerator(folder: string): Promise<string> {
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
