import { join } from "node:path";
import type { Manifest } from "../apply/manifest.js";
import { textHash } from "../apply/text-hash.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { chainProblem } from "../migrations/chain-problem.js";
import { MIGRATIONS } from "../migrations/read-chain.js";
import type { OutputFile } from "../render/output-file.js";
import type { Environment } from "./environment.js";

/**
 * The migrations that generator.lock knows, that are not there, that databases may have run, and that this run does not
 * write again as they were. Of two that do not fit together, one is deleted by hand: the other has its number, or a higher.
 */
export async function goneMigrations(
  { files, root, releases }: Environment,
  { generated, userFiles }: Manifest,
  outputs: readonly OutputFile[],
): Promise<readonly Diagnostic[]> {
  const known = [...generated.keys(), ...userFiles.keys()].flatMap((path) => {
    const [folder, name, file] = path.split("/");
    return folder === MIGRATIONS && name !== undefined && file !== undefined ? [name] : [];
  });
  const isThere = (name: string): boolean => files.lstat(join(root, MIGRATIONS, name)) !== null;
  const names = [...new Set(known)].sort();
  const newest = Math.max(0, ...names.filter(isThere).map(numberOf));
  const isSame = (name: string): boolean =>
    outputs.some(
      ({ path, text }) =>
        path === `${MIGRATIONS}/${name}/migration.json` &&
        text !== null &&
        generated.get(path)?.includes(textHash(text)) === true,
    );
  const gone = names.filter((name) => !isThere(name) && numberOf(name) > newest && !isSame(name));
  if (gone.length === 0 || releases === undefined) return [];
  const isReleased = await releases();
  return gone.filter(isReleased).map((name) => chainProblem("SCH-430", name, { name }));
}

/** 2 for `0002-rename-orders-fax`. */
function numberOf(name: string): number {
  return Number.parseInt(name, 10);
}
