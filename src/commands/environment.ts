import type { Machine } from "../apply/process-lock.js";
import type { FileSystem } from "../files/file-system.js";

/** Everything that a command uses of the outside world, passed in as a value. */
export interface Environment {
  readonly files: FileSystem;
  /** The project's folder, absolute. */
  readonly root: string;
  readonly machine: Machine;
  /** The generator's version: `0.1.0`. */
  readonly version: string;
  /** Identifies this build of the generator. */
  readonly build: string;
}
