import type { Cut } from "../artifacts/pieces.js";

/** What the text of a file was made of. */
export interface Made {
  /** Of the artifact and of its input: with the same key, one build of the generator makes the same text. */
  readonly key: string;
  /** Where its pieces stand, in a file that is made of pieces. */
  readonly cuts?: readonly Cut[];
}

/** What the last run made, and what is there as that run left it. */
export interface Kept {
  /** What the file at `path` was made of; null where it is not known, or not as it was left. */
  made(path: string): Made | null;
  /** The text of the piece of that file that was made of `key`, or null. */
  piece(path: string, key: string): string | null;
}

/** Everything is made anew. */
export const NOTHING_KEPT: Kept = { made: () => null, piece: () => null };

/** The key of what an artifact, or a part of one, makes of an input. */
export function keyOf(artifact: string, inputHash: string): string {
  // Not hashed once more: there are thousands of them, and a hash costs more than a short text.
  return `${artifact} ${inputHash}`;
}
