import type { Owner } from "../artifacts/artifact.js";

/** A file that generating yields. */
export interface OutputFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly owner: Owner;
  /** Ends in one line feed; null: the same text as the last run wrote, because nothing it is made of has changed. */
  readonly text: string | null;
}
