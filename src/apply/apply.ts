import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import type { Change, Plan } from "./change.js";
import { diagnostic, type Diagnostic } from "../diagnostics/diagnostic.js";
import { clear, INTERNAL_FOLDER, internalPath, makeInternalFolder } from "./internal-folder.js";
import type { Journal, Removal, StagedWrite } from "./journal.js";
import { parseJournal, printJournal } from "./journal.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import { isUntouched, possibleWrites, rollForward, stagePath } from "./roll-forward.js";

/** The result of executing a plan. */
export interface Applied {
  /** Files that somebody else changed meanwhile: they are left alone. */
  readonly leftAlone: readonly string[];
  /** When every text was written but no file had been replaced yet, by the clock of the file system. */
  readonly stagedMs: number;
}

/**
 * Carries out a plan so that a crash at any point leaves the old tree, or one that `recover` makes
 * new (G4). Call it under the lock. Throws the error of the operating system.
 */
export function apply(files: FileSystem, root: string, plan: Plan): Applied {
  makeInternalFolder(files, root);
  const journal = stage(files, root, plan);
  const draft = internalPath(root, "journal.draft");
  clear(files, draft);
  files.writeFile(draft, printJournal(journal));
  files.flush(draft);
  const stagedMs = files.lstat(draft)?.mtimeMs ?? 0;
  files.rename(draft, journalPath(root));
  const leftAlone = rollForward(files, root, journal);
  drop(files, root);
  return { leftAlone, stagedMs };
}

/** True if a run was interrupted while it changed files: call `recover` first. */
export function isInterrupted(files: FileSystem, root: string): boolean {
  return files.exists(journalPath(root));
}

/**
 * Finishes an interrupted run, and warns of a journal that is not the one of a run (OWN-15), which is removed. Files that
 * were changed since differ from generator.lock afterwards: the plan reports them. Call it under the lock.
 */
export function recover(files: FileSystem, root: string): readonly Diagnostic[] {
  if (!isInterrupted(files, root)) return [];
  const journal = readJournal(files, root);
  const writes = journal === null ? [] : possibleWrites(files, root, journal);
  const isWhole = writes.length === journal?.writes.length;
  if (journal !== null && (isWhole || !isUntouched(files, root, journal))) {
    rollForward(files, root, { ...journal, writes });
  }
  drop(files, root);
  return isWhole ? [] : [foreignJournal()];
}

/** 200,000 steps. */
const MOST_JOURNAL_BYTES = 64 * 1024 * 1024;

function readJournal(files: FileSystem, root: string): Journal | null {
  const path = journalPath(root);
  const status = files.lstat(path);
  if (status?.kind !== "file" || status.size > MOST_JOURNAL_BYTES) return null;
  return parseJournal(files.readText(path));
}

function foreignJournal(): Diagnostic {
  const file = `${INTERNAL_FOLDER}/journal`;
  const span = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const suggestion =
    "Look at what has changed (git status): this run makes generated files as usual.";
  return diagnostic("OWN-15", { span, source: "" }, {}, { severity: "warning", suggestion });
}

function drop(files: FileSystem, root: string): void {
  clear(files, journalPath(root));
  clear(files, internalPath(root, "stage"));
}

function stage(files: FileSystem, root: string, plan: Plan): Journal {
  clear(files, internalPath(root, "stage"));
  files.makeDirectory(internalPath(root, "stage"));
  const writes: StagedWrite[] = [];
  const removals: Removal[] = [];
  for (const change of lockLast(plan.changes)) {
    if (change.kind === "removed") removals.push({ path: change.path, before: change.before });
    if (change.kind === "created" || change.kind === "updated") {
      writes.push(...stageChange(files, root, change, writes.length));
    }
  }
  return { writes, removals };
}

/** The changed file, preceded by a copy of the edited file that it replaces (`--force`). */
function stageChange(
  files: FileSystem,
  root: string,
  change: Extract<Change, { kind: "created" | "updated" }>,
  number: number,
): StagedWrite[] {
  const { path, text, after } = change;
  const staged = String(number);
  files.writeFile(stagePath(root, staged), text);
  const before = change.kind === "updated" ? change.before : null;
  const write: StagedWrite = { path, staged, before, after };
  if (change.kind === "created" || change.savedAs === null) return [write];
  const copied = `${staged}.edited`;
  files.copy(join(root, path), stagePath(root, copied));
  return [{ path: change.savedAs, staged: copied, before: null, after: change.before }, write];
}

/** generator.lock records the result, so it changes last. */
function lockLast(changes: readonly Change[]): readonly Change[] {
  const isLock = ({ path }: Change): boolean => path === MANIFEST_PATH;
  return [...changes.filter((change) => !isLock(change)), ...changes.filter(isLock)];
}

function journalPath(root: string): string {
  return internalPath(root, "journal");
}
