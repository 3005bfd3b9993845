import { quoted } from "./quoted.js";

/** Advice that several diagnostics give in the same words. */
export const ADVICE = {
  remove: "Remove it.",
  removeOne: "Remove one of them.",
  keepOne: "Keep one of them.",
  rename: "Choose another name.",
} as const;

/** Suggests a name that follows the rule which the written one breaks, for `--fix` to put in its place. */
export function renamed(conforming: string | null): {
  readonly suggestion: string | null;
  readonly replacement: string | null;
} {
  return { suggestion: didYouMean(conforming), replacement: conforming };
}

/** Suggests the name or value that was probably meant; null if nothing near is known. */
export function didYouMean<Meant extends string | null>(
  meant: Meant,
): string | Extract<Meant, null> {
  // Only null is extracted, and null is the type of `meant` then.
  return meant === null ? (meant as Extract<Meant, null>) : `Did you mean ${quoted(meant)}?`;
}
