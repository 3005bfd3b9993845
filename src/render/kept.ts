import type { Cut } from "../artifacts/pieces.js";

/** What the text of a file was made of. */
export interface Made {
  /** Names the artifact and its input: one build of the generator makes the same text for the same key. */
  readonly key: string;
  /** The places of its pieces, in a file that is made of pieces. */
  readonly cuts?: readonly Cut[];
}

/** The results of the last run that are still on the disk. */
export interface Kept {
  /** What the file at `path` was made of; null if that is not known, or the file has changed. */
  made(path: string): Made | null;
  /** The text of the piece of that file that was made of `key`, or null. */
  piece(path: string, key: string): string | null;
}

/** Nothing is kept. */
export const NOTHING_KEPT: Kept = { made: () => null, piece: () => null };

/** The key of what an artifact, or a part of one, makes of an input. */
export function keyOf(artifact: string, inputHash: string): string {
  // Not hashed again: there are thousands of keys, and hashing one costs more than storing a short text.
  return `${artifact} ${inputHash}`;
}
