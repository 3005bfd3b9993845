import type { CacheOwner } from "../apply/cache.js";
import type { Machine } from "../apply/process-lock.js";

/** Everything that a command uses of the outside world, passed in as a value. */
export interface Environment extends CacheOwner {
  readonly machine: Machine;
  /** The generator's version: `0.1.0`. */
  readonly version: string;
  /** Loads what can tell what was merged; left out: nobody can. */
  readonly merges?: () => Promise<Merges>;
  /** Whether version control has files below a folder of the project; left out: it has none. */
  readonly isTracked?: (folder: string) => Promise<boolean>;
  /** Loads what can tell which migrations may have been released; left out: none of them. */
  readonly releases?: () => Promise<(migration: string) => boolean>;
}

/** What version control knows of files that it has merged. */
export interface Merges {
  /** The texts of a file in the branches that are being merged, or were merged last; empty: none are. */
  textsOf(root: string, path: string): readonly string[];
  /**
   * The texts of a folder's files, by path, in each of the branches that are being merged, or were merged last, and have
   * changed something there since they parted.
   */
  changedFolders(root: string, folder: string): readonly ReadonlyMap<string, string>[];
}
