import { longForm } from "../kinds/property-yaml.js";
import type { Pair } from "./check-lineage.js";
import { withParent } from "./lineage.js";
import type { ObjectStep } from "./object-step.js";

/**
 * VER-2: what is unique is so in what is stored, which all versions share: one alone can neither ask for it nor do
 * without it. Both versions are served.
 */
export function checkUniqueness({ older, newer }: Pair, step: ObjectStep): void {
  if (newer.lineage.value.sameAs !== undefined) return;
  checkProperties({ older, newer }, step);
  checkLists({ older, newer }, step);
}

function checkProperties({ older, newer }: Pair, { kept }: ObjectStep): void {
  const { version } = older.lineage;
  const [before, after] = [withParent(older.lineage), withParent(newer.lineage)];
  for (const { older: was, newer: is } of kept) {
    const wasUnique = longForm(before[was] ?? {}).unique === true;
    const isUnique = longForm(after[is] ?? {}).unique === true;
    const path = ["properties", is];
    if (isUnique && !wasUnique) {
      const at = { path: [...path, "unique"], part: "key" } as const;
      newer.findings.add("SCH-270", at, { older: version, names: is }, { suggestion: ASKED });
    }
    if (wasUnique && !isUnique) {
      const at = { path, part: "key" } as const;
      newer.findings.add("SCH-271", at, { older: version, names: is }, { suggestion: GIVEN_UP });
    }
  }
}

const ASKED =
  "Say it in the older version as well, where that is a draft; otherwise make a property of another name unique, or retire the older version first.";
const GIVEN_UP = "Keep it until the older version is retired.";

function checkLists({ older, newer }: Pair, { kept }: ObjectStep): void {
  const { version } = older.lineage;
  const are = newer.lineage.value.unique ?? [];
  const names = new Map(kept.map((one) => [one.older, one.newer]));
  // A list ends with a property that is gone: what the older version was promised of it is told by VER-3.
  const were = (older.lineage.value.unique ?? [])
    .map((list) => list.map((name) => names.get(name) ?? ""))
    .filter((list) => !list.includes(""));
  for (const [index, list] of are.entries()) {
    if (were.some((other) => isSameSet(other, list))) continue;
    const given = { older: version, names: list.join(", ") };
    newer.findings.add("SCH-270", { path: ["unique", index] }, given, { suggestion: ASKED });
  }
  for (const list of were.filter((other) => !are.some((one) => isSameSet(one, other)))) {
    const at = { path: [are.length === 0 ? "resource" : "unique"], part: "key" } as const;
    const given = { older: version, names: list.join(", ") };
    newer.findings.add("SCH-271", at, given, { suggestion: GIVEN_UP });
  }
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
