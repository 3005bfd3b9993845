import type { Machine } from "../apply/process-lock.js";
import type { FileSystem } from "../files/file-system.js";

/** What a command needs of the world: it comes in as a value, and nothing else is reached for. */
export interface Environment {
  readonly files: FileSystem;
  /** The project's folder, absolute. */
  readonly root: string;
  readonly machine: Machine;
  /** The generator's version: `0.1.0`. */
  readonly version: string;
  /** What tells this build of the generator from any other. */
  readonly build: string;
}
