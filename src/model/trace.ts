import type { ObjectStep } from "../validate/object-step.js";

/** What became of a property of an older version. */
export interface Trace {
  /** What it is called where it is stored. */
  readonly name: string;
  /** What it is called in each version that has it. */
  readonly names: readonly string[];
  /** What is shown instead of stored values, by value. */
  readonly instead: ReadonlyMap<string, string>;
  /** The steps of the object that it holds. */
  readonly inner: readonly ObjectStep[];
}

/** Follows a property through the steps from its version to what is stored; one that is removed or converted is stored as it was called last. */
export function trace(property: string, steps: readonly ObjectStep[]): Trace {
  let name = property;
  const names = [name];
  let instead: ReadonlyMap<string, string> = new Map();
  const inner: ObjectStep[] = [];
  for (const step of steps) {
    const kept = step.kept.find(({ older }) => older === name);
    if (kept === undefined) break;
    const shownAs = instead;
    const added = Object.entries(kept.instead).map(
      ([value, shown]) => [value, shownAs.get(shown) ?? shown] as const,
    );
    instead = new Map([...instead, ...added]);
    name = kept.newer;
    names.push(name);
    if (kept.inner !== null) inner.push(kept.inner);
  }
  return { name, names, instead, inner };
}
