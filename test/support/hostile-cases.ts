import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** One situation of the hostile corpus. */
export interface HostileCase {
  readonly id: string;
  readonly what: string;
}

/** Where a case is held by a test, or a kept result, that stands elsewhere: its file, and a text in it. */
export type Held = readonly [path: string, text: string];

/** The cases of a file of the corpus. */
export function hostileCases(name: "schemas" | "regen"): readonly HostileCase[] {
  const text = readFileSync(resolve(`fixtures/hostile/${name}.json`), "utf8");
  return JSON.parse(text) as readonly HostileCase[];
}

/** The cases that nothing is said of, or twice, and the tests that are named and are not there. */
export function gaps(
  cases: readonly HostileCase[],
  tried: readonly string[],
  held: Readonly<Record<string, Held>>,
): readonly string[] {
  const forgotten = cases
    .filter(({ id }) => tried.includes(id) === Object.hasOwn(held, id))
    .map(({ id, what }) => `${id}: ${what}`);
  const missing = Object.entries(held)
    .filter(([, [path, text]]) => !readFileSync(resolve(path), "utf8").includes(text))
    .map(([id, [path, text]]) => `${id}: ${path} does not say "${text}"`);
  const known = cases.map(({ id }) => id);
  const unknown = [...tried, ...Object.keys(held)].filter((id) => !known.includes(id));
  return [...forgotten, ...missing, ...unknown];
}
