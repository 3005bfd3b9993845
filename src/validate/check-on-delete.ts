import { longForm } from "../kinds/property-yaml.js";
import type { Pair } from "./check-lineage.js";
import type { ObjectStep } from "./object-step.js";

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
    newer.findings.add("SCH-274", { path, part: "key" }, given, { suggestion: SUGGESTION });
  }
}

const SUGGESTION = "Write `onDelete: setNull`, or retire the older version first.";
