import type { Change } from "../apply/change.js";
import type { Outcome } from "../commands/outcome.js";
import type { Terminal } from "./terminal.js";

/** So many paths of a kind are listed; more are counted. */
const FEW = 15;

/** What was done to the files, or would be. */
export function printOutcome({ changes, applied, leftAlone }: Outcome, terminal: Terminal): void {
  const { colors, out } = terminal;
  for (const change of changes) {
    if (change.kind === "kept") out(`${colors.yellow("kept")}  ${change.path}  ${change.hint}\n`);
    else if (isListed(change, changes))
      out(`${word(change, terminal)}  ${change.path}${saved(change)}\n`);
  }
  for (const path of leftAlone) {
    out(
      `${colors.yellow("left")}  ${path}  It was changed while files were written: it is as it was.\n`,
    );
  }
  out(`${summary(changes, applied)}\n`);
}

function isListed(change: Change, changes: readonly Change[]): boolean {
  if (change.kind === "unchanged") return false;
  const isSaved = change.kind === "updated" && change.savedAs !== null;
  return isSaved || countOf(change.kind, changes) <= FEW;
}

function word({ kind }: Change, { colors }: Terminal): string {
  const color = { created: colors.green, updated: colors.cyan, removed: colors.red };
  return kind === "created" || kind === "updated" || kind === "removed" ? color[kind](kind) : kind;
}

function saved(change: Change): string {
  if (change.kind !== "updated" || change.savedAs === null) return "";
  return `  (the edited file is now ${change.savedAs})`;
}

function summary(changes: readonly Change[], applied: boolean): string {
  const unchanged = countOf("unchanged", changes);
  const counts = (["created", "updated", "removed"] as const)
    .map((kind) => ({ kind, count: countOf(kind, changes) }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${files(count)} ${kind}`);
  if (counts.length === 0) return `Nothing to do: ${files(unchanged)} up to date.`;
  const done = counts.join(", ");
  return `${applied ? "Done" : "Would be done"}: ${done}, ${unchanged} unchanged.`;
}

function countOf(kind: Change["kind"], changes: readonly Change[]): number {
  return changes.filter((change) => change.kind === kind).length;
}

function files(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
