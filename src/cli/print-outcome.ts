import type { Change } from "../apply/change.js";
import type { NewMigration, Outcome } from "../commands/outcome.js";
import { visible } from "../diagnostics/visible.js";
import type { Terminal } from "./terminal.js";

/** Begins the last line where something was written; tests and the bench wait for it. */
export const DONE = "Done";

/** The number of paths of a kind that are listed; the rest are counted. */
const FEW = 15;

/** What was done to the files, or would be. */
export function printOutcome(
  { changes, applied, leftAlone, plainSchema, migration, upgradedContracts, gonePaths }: Outcome,
  terminal: Terminal,
): void {
  const { colors, out } = terminal;
  const counts = countsOf(changes);
  for (const change of changes) {
    const path = visible(change.path);
    if (change.kind === "kept") out(`${colors.yellow("kept")}  ${path}  ${change.hint}\n`);
    else if (isListed(change, counts)) out(`${word(change, terminal)}  ${path}${remark(change)}\n`);
  }
  for (const path of leftAlone) {
    out(
      `${colors.yellow("left")}  ${visible(path)}  It changed during the run and was left alone.\n`,
    );
  }
  if (gonePaths.length > 0) out(goneLines(gonePaths, applied));
  out(`${summary(counts, applied)}\n`);
  if (migration !== null) out(migrationLines(migration, applied));
  for (const path of upgradedContracts) out(upgradeLine(path, applied));
  if (plainSchema !== null) out(editorHint(plainSchema));
}

/** The other files that are removed say nothing of what clients lose. */
function goneLines(paths: readonly string[], applied: boolean): string {
  const verb = applied ? "is gone" : "would be gone";
  const listed = paths.map((path) => `  ${visible(path)}\n`);
  return `With its version, what no later version has ${verb} from the service:\n${listed.join("")}`;
}

function migrationLines({ name, steps }: NewMigration, applied: boolean): string {
  const folder = `migrations/${name}`;
  if (applied)
    return `The migration ${folder} is new: the next start applies it, or "npm run migrate".\n`;
  const listed = steps.slice(0, FEW).map((step) => `  ${step}\n`);
  const rest = steps.length - listed.length;
  return [
    `The migration ${folder} would:\n`,
    ...listed,
    ...(rest > 0 ? [`  and ${rest} more\n`] : []),
  ].join("");
}

/** Edits of what is recorded first now were not reported before. */
function upgradeLine(path: string, applied: boolean): string {
  const records = applied ? "now records" : "would record";
  return `${path} ${records} the name of the service, the source of its events and the tokens that it accepts: generator changes reports edits of them.\n`;
}

function editorHint(path: string): string {
  const schema = "../../node_modules/@rulebound/generator/schemas/resource.schema.json";
  return `\nFor completion in your editor, put this line at the top of ${path}:\n# yaml-language-server: $schema=${schema}\n`;
}

/** How many changes there are of each kind. */
type Counts = ReadonlyMap<Change["kind"], number>;

function countsOf(changes: readonly Change[]): Counts {
  const counts = new Map<Change["kind"], number>();
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function isListed(change: Change, counts: Counts): boolean {
  if (change.kind === "unchanged") return false;
  const isSaved = change.kind === "updated" && change.savedAs !== null;
  const isFew = (counts.get(change.kind) ?? 0) <= FEW;
  // Files that now belong to the user are listed, since work continues there; in a new project all do.
  const isOwn = change.kind === "created" && change.owner === "user" && counts.has("unchanged");
  return isSaved || isOwn || isFew;
}

function word({ kind }: Change, { colors }: Terminal): string {
  const color = { created: colors.green, updated: colors.cyan, removed: colors.red };
  return kind === "created" || kind === "updated" || kind === "removed" ? color[kind](kind) : kind;
}

function remark(change: Change): string {
  if (change.kind === "created" && change.owner === "user") return "  (yours from now on)";
  if (change.kind !== "updated" || change.savedAs === null) return "";
  return `  (the edited file is now ${change.savedAs})`;
}

function summary(counts: Counts, applied: boolean): string {
  const unchanged = counts.get("unchanged") ?? 0;
  const written = (["created", "updated", "removed"] as const)
    .map((kind) => ({ kind, count: counts.get(kind) ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${files(count)} ${kind}`);
  if (written.length === 0) return `Nothing to do: ${files(unchanged)} up to date.`;
  const done = [...written, ...(unchanged === 0 ? [] : [`${unchanged} unchanged`])].join(", ");
  return `${applied ? DONE : "Would be done"}: ${done}.`;
}

function files(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
