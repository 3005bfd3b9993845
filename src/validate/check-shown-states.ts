import { longForm } from "../kinds/property-yaml.js";
import type { Pair } from "./check-lineage.js";
import { withParent } from "./lineage.js";
import { lostInState } from "./lost-in-state.js";
import type { ObjectStep } from "./object-step.js";

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
