import type { Diagnostics } from "recheck";

/** How a pattern's running time grows with the length of the text. */
export type PatternGrowth =
  | { readonly kind: "linear" }
  | { readonly kind: "polynomial"; readonly degree: number }
  | { readonly kind: "exponential" }
  | { readonly kind: "unknown" };

/** The time limit of the checker in milliseconds; a pattern that takes longer counts as unknown. */
const PATIENCE = 1500;

/** One character, a class or an escape of one character, without a quantifier. */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\.|\\[dDsSwWtnr]|\\[pP]\{\w+\}|\\[\\^$.*+?()[\]{}|/-]|\[(?:[^\\\]]|\\.)+\])`;

/** `^` atoms `$`, of which one may repeat freely: nothing to go back into, so it is linear without a proof. */
const PLAIN = new RegExp(
  String.raw`^\^(?:${ATOM}(?:\{\d+\})?)*(?:${ATOM}(?:[*+?]|\{\d+,\d*\}))?(?:${ATOM}(?:\{\d+\})?)*\$$`,
  "u",
);

/** One atom that repeats a bounded number of times. */
const BOUNDED = new RegExp(String.raw`${ATOM}(?:\{(\d+)(?:,(\d+))?\}|\?)?`, "uy");

/** The most characters that a pattern of atoms matches: 15 for `^[0-9]{15}$`. Infinity for any other pattern. */
export function longestMatch(pattern: string): number {
  if (!pattern.startsWith("^") || !pattern.endsWith("$")) return Infinity;
  let characters = 0;
  BOUNDED.lastIndex = 1;
  while (BOUNDED.lastIndex < pattern.length - 1) {
    const found = BOUNDED.exec(pattern);
    if (found === null) return Infinity;
    const [, least = "1", most = least] = found;
    characters += Number(most);
  }
  return BOUNDED.lastIndex === pattern.length - 1 ? characters : Infinity;
}

/** Whether a pattern is linear at first sight. */
export function isPlain(pattern: string): boolean {
  return pattern.length <= 100 && PLAIN.test(pattern);
}

/**
 * How the time of a valid pattern (flag `u`) grows. The checker costs a quarter of a second to load, so it is
 * imported only for a pattern that is not plain.
 */
export async function patternGrowth(pattern: string): Promise<PatternGrowth> {
  if (isPlain(pattern)) return { kind: "linear" };
  const loaded = await import("recheck/lib/browser.js");
  // A CommonJS module: its exports are under `default` in Node, and named exports after transpiling.
  const { checkSync } = loaded.default ?? loaded;
  return growthOf(checkSync(pattern, "u", { timeout: PATIENCE }));
}

function growthOf(found: Diagnostics): PatternGrowth {
  if (found.status === "safe") return { kind: "linear" };
  if (found.status === "unknown") return { kind: "unknown" };
  const { complexity } = found;
  return complexity.type === "polynomial"
    ? { kind: "polynomial", degree: complexity.degree }
    : { kind: "exponential" };
}
