import type { Owner } from "../artifacts/artifact.js";
import type { Cut } from "../artifacts/pieces.js";

/** A file of the generated service. */
export interface OutputFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly owner: Owner;
  /** Ends in one line feed; null: the same text as the last run wrote, because nothing it is made of has changed. */
  readonly text: string | null;
  /** Where each resource's pieces stand, in a file that is made from all of them. */
  readonly cuts?: readonly Cut[];
}
