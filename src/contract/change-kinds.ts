import { CHANGE_KINDS as COMPILED } from "#compiled/change-kinds";
import type { Operation } from "../model/resource-model.js";

/** What an edit means: for a client that was written for the version as it is published. */
export type ChangeClass = "breaking" | "compatible" | "operational" | "internal";

/** Whom an edit breaks: clients that read responses, or that send bodies and conditions for changes. */
export type Audience = "readers" | "writers";

/** One kind of edit: what is said of it, whom it breaks, and what to do. Its text is a section of docs/changes.md. */
export interface ChangeKind {
  /** A few words, for a table. */
  readonly title: string;
  /** What has changed, with `{path}`, `{before}` and `{after}` in it. */
  readonly says: string;
  /** Why it breaks readers; left out: it does not. */
  readonly readers?: string;
  /** Why it breaks writers; left out: it does not. */
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

/** What a kind of edit is called: `maximum-length-lowered`. */
export type ChangeKindId = keyof typeof COMPILED;

/** Every kind of edit that `generator changes` tells apart (VER-3). */
export const CHANGE_KINDS: Readonly<Record<ChangeKindId, ChangeKind>> = COMPILED;
