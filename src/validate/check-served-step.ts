import { longForm } from "../kinds/property-yaml.js";
import type { Pair } from "./check-lineage.js";
import { withParent } from "./lineage.js";
import { lostInState } from "./lost-in-state.js";
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

function checkProperties({ older, newer }: Pair, { kept, converted }: ObjectStep): void {
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
  // Each side of a conversion is kept unique on its own; the older one answers for what is made of it.
  const isGuarded = converted?.older.some((name) => longForm(before[name] ?? {}).unique === true);
  for (const name of isGuarded === false ? (converted?.newer ?? []) : []) {
    if (longForm(after[name] ?? {}).unique !== true) continue;
    const at = { path: ["properties", name, "unique"], part: "key" } as const;
    newer.findings.add("SCH-270", at, { older: version, names: name }, { suggestion: ASKED });
  }
}

const ASKED =
  "Declare it in the older version as well, where that is a draft; otherwise make a property of another name unique, or retire the older version first.";
const GIVEN_UP = "Keep it until the older version is retired.";
const LATER = "Or retire the older version first.";

function checkLists({ older, newer }: Pair, { kept }: ObjectStep): void {
  const { version } = older.lineage;
  const are = newer.lineage.value.unique ?? [];
  const names = new Map(kept.map((one) => [one.older, one.newer]));
  const lists = older.lineage.value.unique ?? [];
  // A list with a mistake is reported by itself, and has a gap here.
  if (![...are, ...lists].every(isWhole)) return;
  for (const list of lists) {
    const gone = list.filter((name) => !names.has(name)).map((name) => `\`${name}\``);
    if (gone.length === 0) continue;
    const at = { path: ["resource"], part: "key" } as const;
    const suggestion = `Keep ${gone.join(" and ")} in this version, in a list of \`unique\`. ${LATER}`;
    newer.findings.add("SCH-271", at, { older: version, names: list.join(", ") }, { suggestion });
  }
  const were = lists
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

function isWhole(list: unknown): boolean {
  return Array.isArray(list) && list.every((name) => typeof name === "string");
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

/**
 * VER-2: what a deletion does to references is so in what is stored, which all versions share: a newer one cannot refuse
 * what an older one that is served allows.
 */
export function checkOnDelete({ older, newer }: Pair, { kept }: ObjectStep): void {
  const [before, after] = [older.lineage.value, newer.lineage.value];
  if (after.sameAs !== undefined) return;
  for (const { older: was, newer: name } of kept) {
    const isLetGo = longForm(before.properties[was] ?? {}).onDelete === "setNull";
    const { onDelete } = longForm(after.properties[name] ?? {});
    if (!isLetGo || onDelete === "setNull") continue;
    const place = ["properties", name];
    const path = onDelete === undefined ? place : [...place, "onDelete"];
    const given = { older: older.lineage.version, name };
    newer.findings.add("SCH-274", { path, part: "key" }, given, { suggestion: LET_GO });
  }
}

const LET_GO = "Write `onDelete: setNull`, or retire the older version first.";

/** SCH-340, a warning: clients of an older version are shown a state that allows more than the one that is stored (VER-2). */
export function checkShownStates({ older, newer }: Pair, { place, kept }: ObjectStep): void {
  const { sameAs, states, actions } = newer.lineage.value;
  const property = kept.find((one) => one.newer === states?.property);
  if (sameAs !== undefined || states === undefined || property === undefined) return;
  const { version, value } = older.lineage;
  const { enum: known = [] } = longForm(withParent(older.lineage)[property.older] ?? {});
  const offered = { older: value.actions, newer: actions };
  for (const [state, shown] of Object.entries(property.instead)) {
    const isKnown = (one: string): boolean => known.includes(one);
    const lost = lostInState(states, offered, { state, shown, isKnown });
    if (lost.length === 0) continue;
    const at = { path: [...place, property.newer, "inOlderVersions", state] };
    const given = { older: version, state, shown, lost: lost.join(", ") };
    const suggestion = `Allow it in ${state} as well, or show another state instead.`;
    newer.findings.add("SCH-340", at, given, { suggestion, severity: "warning" });
  }
}
