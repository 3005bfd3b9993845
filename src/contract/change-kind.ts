import type { Operation } from "../model/resource-model.js";

/** What an edit means: for a client that was written for the version as it is published. */
export type ChangeClass = "breaking" | "compatible" | "internal";

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
  /** No client can see it. */
  readonly isInternal?: true;
  /** What to do. */
  readonly advice: string;
}

/** Advice for an edit that needs nothing. */
export const ACCEPTED = "Nothing: clients go on as they are.";

/** Advice for a bound that is tightened, or the like: the edit belongs in the next version. */
export const NEXT_VERSION = "Undo it here, and make it in the next version.";
