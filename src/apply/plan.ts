import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { InternalError } from "../diagnostics/internal-error.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import { fileProblem } from "../migrations/chain-problem.js";
import type { OutputFile } from "../render/output-file.js";
import type { Change, Plan } from "./change.js";
import type { DiskState } from "./disk-state.js";
import type { Manifest } from "./manifest.js";
import { printManifest } from "./manifest.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import type { OwnershipCode } from "./ownership.js";
import { ownership } from "./ownership.js";
import { planStale } from "./plan-stale.js";
import { textHash } from "./text-hash.js";

/** How to plan: the version that goes into generator.lock, and whether edited files are replaced. */
export interface PlanOptions {
  readonly version: string;
  /** Saves a copy of a hand-edited file and replaces it, instead of stopping. */
  readonly force: boolean;
  /** Says of a generated file that it consists of generated ones, which git has merged; left out: nobody knows. */
  readonly isMerged?: (path: string) => boolean;
  /** Files that this run creates and that later runs ignore. */
  readonly once?: readonly OutputFile[];
}

/**
 * Decides what happens to every file, or says why nothing can be written (G3, G15); does not touch the disk. Throws
 * `InternalError` where two outputs have the same path.
 */
export function plan(
  outputs: readonly OutputFile[],
  disk: DiskState,
  options: PlanOptions,
): Result<Plan> {
  refuseTwice([...outputs, ...(options.once ?? [])]);
  const hashed = outputs.map((output) => withHash(output, disk.manifest));
  const once = (options.once ?? []).map((output) => withHash(output, disk.manifest));
  const steps = [...hashed, ...once].map((output) => planOutput(output, disk, options));
  const changes = steps.flatMap(({ change }) => (change === null ? [] : [change]));
  const conflicts = steps.flatMap(({ conflict }) => (conflict === null ? [] : [conflict]));
  const stale = planStale(outputs, disk, changes);
  const next = nextManifest(hashed, disk, options.version);
  const text = printManifest(next);
  const after = textHash(text);
  const lock = planOutput({ path: MANIFEST_PATH, owner: "generator", text, after }, disk, options);
  if (conflicts.length > 0) return failure(conflicts);
  if (lock.conflict !== null) return failure([lock.conflict]);
  const all = [...changes, ...stale.changes, ...(lock.change === null ? [] : [lock.change])];
  return success({ changes: all.sort((a, b) => (a.path < b.path ? -1 : 1)) }, stale.warnings);
}

/** The second of two would replace the first without a word, whichever that is. */
function refuseTwice(outputs: readonly OutputFile[]): void {
  const seen = new Set<string>();
  for (const { path } of outputs) {
    if (seen.has(path)) throw new InternalError(`${path} is emitted twice`);
    seen.add(path);
  }
}

/** A file to write, with the hash of its text, computed once because a text can have megabytes. */
interface HashedFile extends OutputFile {
  readonly after: string;
}

function withHash(output: OutputFile, manifest: Manifest): HashedFile {
  const { path, owner, text } = output;
  if (text !== null) return { ...output, after: textHash(text) };
  return { ...output, after: owner === "user" ? "" : recordedHash(manifest, path) };
}

interface Step {
  readonly change: Change | null;
  readonly conflict: Diagnostic | null;
}

function planOutput(output: HashedFile, disk: DiskState, options: PlanOptions): Step {
  const { path, owner, after } = output;
  const standing = disk.at(path);
  switch (standing.kind) {
    case "astray":
      return conflict("OWN-3", path);
    case "obstructed":
      return conflict("OWN-6", standing.path);
    case "absent":
      return change({ kind: "created", path, owner, text: textOf(output), after });
    case "file":
      if (owner === "user") return change({ kind: "unchanged", path, owner });
      if (output.isSealed === true) return planSealed(output, disk, options);
      return planReplacement(output, standing.hash, disk, options);
  }
}

/** A migration is never written again: one that was edited is refused, or with force put on record as it is. */
function planSealed(
  { path, owner, after }: HashedFile,
  disk: DiskState,
  { force }: PlanOptions,
): Step {
  const recorded = disk.manifest.generated.get(path);
  if (recorded === undefined || recorded.includes(after) || force) {
    return change({ kind: "unchanged", path, owner });
  }
  return { change: null, conflict: fileProblem("SCH-148", path, { file: path }) };
}

function planReplacement(
  output: HashedFile,
  before: string,
  disk: DiskState,
  options: PlanOptions,
): Step {
  const { path, owner, after } = output;
  const recorded = disk.manifest.generated.get(path);
  if (before === after) return change({ kind: "unchanged", path, owner });
  const isOurs =
    recorded?.includes(before) === true ||
    path === MANIFEST_PATH ||
    (recorded !== undefined && options.isMerged?.(path) === true);
  if (!isOurs && !options.force) {
    return conflict(recorded === undefined ? "OWN-4" : "OWN-1", path);
  }
  const savedAs = isOurs ? null : freeName(path, disk);
  return change({ kind: "updated", path, owner, text: textOf(output), after, before, savedAs });
}

/** `tickets.entity.ts.edited`, or with the first free number behind it. */
function freeName(path: string, disk: DiskState): string {
  const first = `${path}.edited`;
  if (disk.at(first).kind === "absent") return first;
  for (let number = 2; ; number += 1) {
    const name = `${first}.${number}`;
    if (disk.at(name).kind === "absent") return name;
  }
}

function nextManifest(outputs: readonly HashedFile[], disk: DiskState, version: string): Manifest {
  const generated = new Map<string, readonly string[]>();
  const userFiles = new Map<string, readonly string[]>();
  for (const output of outputs) {
    if (output.owner === "user") userFiles.set(output.path, madeWith(output, disk));
    else generated.set(output.path, [output.after]);
  }
  return { madeBy: version, generated, userFiles };
}

/** Hashes of the text that a user's file was made with: while it has that text, nobody has worked on it. */
function madeWith(output: HashedFile, disk: DiskState): readonly string[] {
  const { path, after, isSealed } = output;
  if (isSealed === true) return [];
  const standing = disk.at(path);
  if (standing.kind === "absent") return [after];
  const recorded = disk.manifest.userFiles.get(path) ?? [];
  if (recorded.length > 0 || output.text === null) return recorded;
  return standing.kind === "file" && standing.hash === after ? [after] : [];
}

function recordedHash(manifest: Manifest, path: string): string {
  // After a merge there can be several hashes, so nothing is reused.
  const [hash] = manifest.generated.get(path) ?? [];
  if (hash === undefined)
    throw new InternalError(`${path} was reused, but is not in generator.lock`);
  return hash;
}

function textOf(output: OutputFile): string {
  if (output.text === null)
    throw new InternalError(`${output.path} was reused, but is not on disk`);
  return output.text;
}

function change(value: Change): Step {
  return { change: value, conflict: null };
}

function conflict(code: OwnershipCode, path: string): Step {
  return { change: null, conflict: ownership(code, path, "error") };
}
