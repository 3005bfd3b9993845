import type { Versions } from "./check-lineage.js";
import { withParent } from "./lineage.js";

/** VER-2: what versions call otherwise is stored side by side, and names that differ only in case would be one column. */
export function checkSameColumn({ versions, lineage: { steps } }: Versions): void {
  const names = versions.map(({ lineage }) => Object.keys(withParent(lineage)));
  const left = steps.flatMap(({ removed, converted }) => [...removed, ...(converted?.older ?? [])]);
  const stored = [...new Set([...(names.at(-1) ?? []), ...left])];
  const since = (name: string): number => names.findIndex((known) => known.includes(name));
  for (const name of stored) {
    const other = stored.find(
      (one) => one.toLowerCase() === name.toLowerCase() && since(one) < since(name),
    );
    if (other === undefined) continue;
    const at = { path: ["properties", name], part: "key" } as const;
    const suggestion = `Choose another name, or write \`renamedFrom: ${other}\` where it holds the same values.`;
    versions[since(name)]?.findings.add("SCH-290", at, { name, other }, { suggestion });
  }
}
