import { sha256 } from "../files/hash.js";

/** What a run is about to do: written to disk before its first change, so that any later run can finish it. */
export interface Journal {
  readonly writes: readonly StagedWrite[];
  readonly removals: readonly Removal[];
}

/** A file that waits beside the project and is renamed to its place. */
export interface StagedWrite {
  readonly path: string;
  /** Its name in the stage. */
  readonly staged: string;
  /** The hash of what it replaces; null when nothing stands there. */
  readonly before: string | null;
  /** Its own hash. */
  readonly after: string;
}

/** A file that goes, while it still holds what was written. */
export interface Removal {
  readonly path: string;
  readonly before: string;
}

/** The journal's text: a checksum, and what it sums up. */
export function printJournal(journal: Journal): string {
  const body = JSON.stringify(journal);
  return `${sha256(body)}\n${body}\n`;
}

/** Null for a torn or foreign text: such a journal counts as absent (G4). */
export function parseJournal(text: string): Journal | null {
  const [checksum, body, ...rest] = text.split("\n");
  if (body === undefined || rest.join("") !== "" || sha256(body) !== checksum) return null;
  // The checksum shows that printJournal wrote it, so it has a journal's shape.
  return JSON.parse(body) as Journal;
}
