import { join } from "node:path";
import type { Manifest } from "../apply/manifest.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { chainProblem } from "../migrations/chain-problem.js";
import { MIGRATIONS } from "../migrations/read-chain.js";
import type { Environment } from "./environment.js";

/** The migrations that generator.lock knows, that are not there, and that databases may have run. */
export async function goneMigrations(
  { files, root, releases }: Environment,
  { generated, userFiles }: Manifest,
): Promise<readonly Diagnostic[]> {
  const known = [...generated.keys(), ...userFiles.keys()].flatMap((path) => {
    const [folder, name, file] = path.split("/");
    return folder === MIGRATIONS && name !== undefined && file !== undefined ? [name] : [];
  });
  const gone = [...new Set(known)].filter(
    (name) => files.lstat(join(root, MIGRATIONS, name)) === null,
  );
  // A draft, and one of two that do not fit together, is deleted by itself.
  const isAnyLeft = gone.length < new Set(known).size;
  if (gone.length === 0 || isAnyLeft || releases === undefined) return [];
  const isReleased = await releases();
  return gone
    .sort()
    .filter(isReleased)
    .map((name) => chainProblem("SCH-430", name, { name }));
}
