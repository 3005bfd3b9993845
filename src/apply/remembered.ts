import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import { sha256 } from "../files/hash.js";
import type { Made } from "../render/kept.js";
import { internalPath } from "./internal-folder.js";
import { stampInputs } from "./stamp-inputs.js";
import type { Stamp } from "./stamp.js";
import { isSameFile, stampOf } from "./stamp.js";
import { textHash } from "./text-hash.js";

/**
 * What the last run left: a cache that says "unchanged since", and nothing about who owns a file.
 * Without it everything is read and rendered.
 */
export interface Remembered {
  /** The generator that wrote it; another one starts afresh. */
  readonly build: string;
  /** Every file below resources, and service.yaml; without a hash when it is no schema. */
  readonly inputs: readonly RememberedFile[];
  /** Generated files, generator.lock among them. */
  readonly outputs: readonly RememberedFile[];
  /** Files that need only be there. */
  readonly userFiles: readonly string[];
}

/** What else the last run left: read only when something has changed, so that a run without a change costs little. */
export interface Details {
  /** The values of schema files, by the SHA-256 of their text. */
  readonly parsed: Readonly<Record<string, unknown>>;
  /** Path of a file -> what it was made of. */
  readonly made: Readonly<Record<string, Made>>;
}

const NO_DETAILS: Details = { parsed: {}, made: {} };

/** A file as it was, and the SHA-256 of its text. */
export interface RememberedFile {
  readonly path: string;
  readonly stamp: Stamp;
  readonly hash: string | null;
}

/** What was remembered, and when, by the clock of the file system. */
export interface Memory extends Remembered {
  readonly savedMs: number;
}

const STATE = "state.json";
const DETAILS = "details.json";

/** What this very build of the generator remembers; null when nothing, or nothing that can be read. */
export function recall(files: FileSystem, root: string, build: string): Memory | null {
  const status = files.lstat(internalPath(root, STATE));
  const text = readSealed(files, internalPath(root, STATE));
  if (status === null || text === null) return null;
  // The seal shows that saveRemembered wrote it.
  const remembered = JSON.parse(text) as Remembered;
  return remembered.build === build ? { ...remembered, savedMs: status.mtimeMs } : null;
}

/** What the last run of this very build left beside that; nothing when it cannot be read. */
export function recallDetails(files: FileSystem, root: string, build: string): Details {
  const text = readSealed(files, internalPath(root, DETAILS));
  if (text === null) return NO_DETAILS;
  // The seal shows that saveRemembered wrote it.
  const details = JSON.parse(text) as Details & Pick<Remembered, "build">;
  return details.build === build ? details : NO_DETAILS;
}

/** True when a run would read and write the very same bytes again (G2). */
export function isUnchanged(files: FileSystem, root: string, memory: Memory): boolean {
  const inputs = stampInputs(files, root);
  const isAsRemembered = (file: RememberedFile): boolean =>
    stampAsRemembered({ files, root, memory }, file) !== null;
  if (inputs === null || inputs.size !== memory.inputs.length) return false;
  return (
    [...memory.inputs, ...memory.outputs].every(isAsRemembered) &&
    memory.userFiles.every((path) => files.exists(join(root, path)))
  );
}

/** Where to remember, and how to wait for the clock of the file system. */
export interface MemoryPlace {
  readonly files: FileSystem;
  readonly root: string;
  sleep(milliseconds: number): void;
}

/** Remembers a run. */
export function saveRemembered(
  { files, root, sleep }: MemoryPlace,
  remembered: Remembered,
  details: Details,
): void {
  const whole = JSON.stringify({ build: remembered.build, ...details });
  writeSealed(files, internalPath(root, DETAILS), whole, () => true);
  const stamps = [...remembered.inputs, ...remembered.outputs].map(({ stamp }) => stamp);
  const latest = stamps.reduce((latestYet, [, , ctimeMs]) => Math.max(latestYet, ctimeMs), 0);
  // A later tick than that of every file, or those files would have to be read again next time.
  writeSealed(files, internalPath(root, STATE), JSON.stringify(remembered), (mtimeMs) => {
    if (mtimeMs > latest) return true;
    sleep(2);
    return false;
  });
}

/** The stamp of a file that holds what the last run left in it, or null. */
export function stampAsRemembered(
  { files, root, memory }: { files: FileSystem; root: string; memory: Memory },
  { path, stamp, hash }: RememberedFile,
): Stamp | null {
  const absolute = join(root, path);
  const now = stampOf(files.lstat(absolute));
  if (now === null || isSameFile(stamp, now, memory.savedMs)) return now;
  return hash !== null && schemaHash(files.readText(absolute)) === hash ? now : null;
}

/** As `load` hashes a schema; a generated text has no byte order mark, so its hash is `textHash`. */
function schemaHash(text: string): string {
  return textHash(text.replace(/^\uFEFF/, ""));
}

function readSealed(files: FileSystem, path: string): string | null {
  if (files.lstat(path)?.kind !== "file") return null;
  const text = files.readText(path);
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return text.slice(0, end) === sha256(body) ? body : null;
}

function writeSealed(
  files: FileSystem,
  path: string,
  body: string,
  isLateEnough: (mtimeMs: number) => boolean,
): void {
  const draft = `${path}.draft`;
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    files.writeFile(draft, `${sha256(body)}\n${body}`);
    if (isLateEnough(files.lstat(draft)?.mtimeMs ?? 0)) break;
  }
  files.rename(draft, path);
}
