import { sha256 } from "../files/hash.js";

/** The planned steps of a run: written before its first change, so that a later run can finish them. */
export interface Journal {
  readonly writes: readonly StagedWrite[];
  readonly removals: readonly Removal[];
}

/** A staged file that will be renamed to its place. */
export interface StagedWrite {
  readonly path: string;
  /** Its name in the stage. */
  readonly staged: string;
  /** The hash of the file that it replaces; null if there is none. */
  readonly before: string | null;
  /** The hash of the new file. */
  readonly after: string;
}

/** A file to remove, if it still has the text that the generator wrote. */
export interface Removal {
  readonly path: string;
  readonly before: string;
}

/** The text of the journal: a checksum, then the steps. */
export function printJournal(journal: Journal): string {
  const body = JSON.stringify(journal);
  return `${sha256(body)}\n${body}\n`;
}

/** Null for an incomplete or foreign text: such a journal counts as absent (G4). */
export function parseJournal(text: string): Journal | null {
  const [checksum, body, ...rest] = text.split("\n");
  if (body === undefined || rest.join("") !== "" || sha256(body) !== checksum) return null;
  // The checksum shows that printJournal wrote it, so it has a journal's shape.
  return JSON.parse(body) as Journal;
}
