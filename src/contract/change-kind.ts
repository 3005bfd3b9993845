import type { Operation } from "../model/resource-model.js";

/** What an edit means: for a client that was written for the version as it is published. */
export type ChangeClass = "breaking" | "compatible" | "operational" | "internal";

/** Who is broken: those who read answers, or those who send bodies and conditions for changes. */
export type Audience = "readers" | "writers";

/** One kind of edit: what is said of it, whom it breaks, and what to do. */
export interface ChangeKind {
  /** A few words, for a table. */
  readonly title: string;
  /** What has changed, with `{path}`, `{before}` and `{after}` in it. */
  readonly says: string;
  /** Why it breaks those who read; left out: it does not. */
  readonly readers?: string;
  /** Why it breaks those who write; left out: it does not. */
  readonly writers?: string;
  /** The operations without any of which nobody is broken; left out: those that read, or those that send a body. */
  readonly needs?: readonly Operation[];
  /** What a client that it breaks has to do when it moves to a version that has it. */
  readonly moving?: string;
  /** All versions have it alike: no next one can have it alone. */
  readonly isOfAll?: true;
  /** A setting of operation, which no version promises (LIM-1). */
  readonly isOperational?: true;
  /** No client can see it. */
  readonly isInternal?: true;
  /** What to do. */
  readonly advice: string;
}

/** Advice for an edit that needs nothing. */
export const ACCEPTED = "Nothing: clients go on as they are.";

/** Advice for an edit of what a version shows or offers: it belongs in the next one. */
export const NEXT_VERSION = "Undo it here, and make it in the next version.";

/** Advice for an edit of the values that a property can have: no version may write what another cannot show (VER-2). */
export const NEW_PROPERTY =
  "Undo it here. All versions share the values: the next one can have a property of another name, or convert this one (`converted`).";

/** Advice for an edit of what is stored, which no version can have alone (VER-2). */
export const SHARED =
  "Undo it here: all versions share what is stored, and so no other version can have it while this one is served.";
