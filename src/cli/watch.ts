import { sameInputs, stampInputs } from "../apply/stamp-inputs.js";
import type { Stamp } from "../apply/stamp.js";
import type { Environment } from "../commands/environment.js";
import { UsageError } from "../commands/usage-error.js";
import { CONTRACT_FOLDER } from "../load/contract-source.js";
import { MIGRATIONS } from "../migrations/read-chain.js";

/** How often the schemas are looked at, in milliseconds, and how long they must have stayed the same to be read. */
const PAUSE = 100;
/** Each schema more than 200 makes the pause longer, so that looking takes a few hundredths of the time at most. */
const PAUSE_FOR_EACH = 0.5;

/** Printed when the schemas are watched; tests and the bench wait for it. */
export const WATCHING = "Watching service.yaml and resources/; Ctrl-C stops it.\n";

type Stamps = ReadonlyMap<string, Stamp>;

/**
 * Calls `onChange` with the paths that differ whenever service.yaml or a file in resources/ has changed, and has then
 * stayed the same for a moment: editors and git write several files. Looks at times and sizes, which works on every
 * disk, and never ends. Throws `UsageError`.
 */
export async function watchSchemas(
  { files, root }: Pick<Environment, "files" | "root">,
  onChange: (paths: readonly string[]) => Promise<void>,
): Promise<never> {
  const look = (): Stamps => known(stampInputs(files, root));
  let answered = look();
  let seen = answered;
  for (;;) {
    const now = look();
    if (sameInputs(now, seen) && !sameInputs(now, answered)) {
      const paths = changedPaths(answered, now);
      await onChange(paths);
      answered = new Map([...now, ...written(look())]);
    }
    seen = now;
    await pause(Math.max(PAUSE, now.size * PAUSE_FOR_EACH));
  }
}

/** What generating itself adds to: it is not generated again because of that. */
function written(stamps: Stamps): [string, Stamp][] {
  const folders = [`${MIGRATIONS}/`, `${CONTRACT_FOLDER}/`];
  return [...stamps].filter(([path]) => folders.some((folder) => path.startsWith(folder)));
}

function changedPaths(before: Stamps, now: Stamps): readonly string[] {
  const paths = [...new Set([...before.keys(), ...now.keys()])].sort();
  return paths.filter((path) => before.get(path)?.join() !== now.get(path)?.join());
}

function known(stamps: Stamps | null): Stamps {
  if (stamps !== null) return stamps;
  throw new UsageError("A schema is a symbolic link, which --watch cannot follow: copy the file.");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds));
}
