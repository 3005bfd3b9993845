import type { Owner } from "../artifacts/artifact.js";
import type { Made } from "./kept.js";

/** A file of the generated service. */
export interface OutputFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly owner: Owner;
  /** Ends in one line feed; null: the same text as the last run wrote, because it was made of the same. */
  readonly text: string | null;
  /** It stands on the disk as it is here, and is never written again: a migration. */
  readonly isSealed?: boolean;
  /** Left out: no later run knows of it. */
  readonly made?: Made;
}
