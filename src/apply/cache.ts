import { join } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { FileSystem } from "../files/file-system.js";
import { hmacSha256 } from "../files/hash.js";
import type { Made } from "../render/kept.js";
import { clear, internalPath } from "./internal-folder.js";
import { stampInputs } from "./stamp-inputs.js";
import type { Stamp } from "./stamp.js";
import { isSameFile, stampOf } from "./stamp.js";
import { textHash } from "./text-hash.js";

/**
 * The first part of the cache: which files the last run read and wrote. Without it everything is read and rendered;
 * it never decides who owns a file.
 */
export interface CacheState {
  /** The build of the generator that wrote it; another build ignores it. */
  readonly build: string;
  /** Every file below resources and contract, and service.yaml; without a hash if it is not a schema. */
  readonly inputs: readonly CachedFile[];
  /** Generated files, generator.lock among them. */
  readonly outputs: readonly CachedFile[];
  /** Printed by every run until one of the inputs changes. */
  readonly warnings: readonly CachedWarning[];
  /** Files of the user, which only have to exist. */
  readonly userFiles: readonly string[];
}

/** A warning without the text of its file, which is the same for as long as the cache is valid. */
export interface CachedWarning extends Omit<Diagnostic, "source"> {
  /** True if it is printed with the line that it points at. */
  readonly hasFrame: boolean;
}

/** The second part of the cache. It is read only when something has changed, so that a run without a change is fast. */
export interface Details {
  /** The values of schema files, by the SHA-256 of their text. */
  readonly parsed: Readonly<Record<string, unknown>>;
  /** Path of a file -> what it was made of. */
  readonly made: Readonly<Record<string, Made>>;
}

const NO_DETAILS: Details = { parsed: {}, made: {} };

/** A file as it was, and the SHA-256 of its text. */
export interface CachedFile {
  readonly path: string;
  readonly stamp: Stamp;
  readonly hash: string | null;
}

/** The cache, with the time when it was saved by the clock of the file system. */
export interface Cache extends CacheState {
  readonly savedMs: number;
}

/** A project, the generator that runs, and what only this user of this machine knows. */
export interface CacheOwner {
  readonly files: FileSystem;
  /** The project's folder, absolute. */
  readonly root: string;
  /** Identifies this build of the generator. */
  readonly build: string;
  /** The key that seals the cache; left out, or null: the cache is neither read nor written. */
  readonly cacheKey?: () => Uint8Array | null;
}

const STATE = "state.json";
const DETAILS = "details.json";

/** The cache that this build of the generator wrote; null if there is none, or it cannot be read. */
export function readCache(owner: CacheOwner): Cache | null {
  const { files, root, build } = owner;
  const status = files.lstat(internalPath(root, STATE));
  const text = readSealed(owner, STATE);
  if (status === null || text === null) return null;
  // The seal shows that writeCache wrote it.
  const state = JSON.parse(text) as CacheState;
  return state.build === build ? { ...state, savedMs: status.mtimeMs } : null;
}

/** The second part of the cache that this build wrote; empty if it cannot be read. */
export function readCacheDetails(owner: CacheOwner): Details {
  const text = readSealed(owner, DETAILS);
  if (text === null) return NO_DETAILS;
  // The seal shows that writeCache wrote it.
  const details = JSON.parse(text) as Details & Pick<CacheState, "build">;
  return details.build === owner.build ? details : NO_DETAILS;
}

/** True if a run would read and write the same bytes again (G2). */
export function isUpToDate(files: FileSystem, root: string, cache: Cache): boolean {
  const inputs = stampInputs(files, root);
  const isCached = (file: CachedFile): boolean =>
    stampIfCached({ files, root, cache }, file) !== null;
  if (inputs === null || inputs.size !== cache.inputs.length) return false;
  return (
    [...cache.inputs, ...cache.outputs].every(isCached) &&
    cache.userFiles.every((path) => files.exists(join(root, path)))
  );
}

/** The warnings of the last run, each with the text of its file. */
export function cachedWarnings(
  files: FileSystem,
  root: string,
  { warnings }: Cache,
): readonly Diagnostic[] {
  const texts = new Map<string, string>();
  const textOf = (path: string): string => {
    const text = texts.get(path) ?? schemaText(files.readText(join(root, path)));
    texts.set(path, text);
    return text;
  };
  return warnings.map(({ hasFrame, ...warning }) => ({
    ...warning,
    source: hasFrame ? textOf(warning.span.file) : "",
  }));
}

/** Writes both parts of the cache. `sleep` waits for the clock of the file system. */
export function writeCache(
  owner: CacheOwner & { sleep(milliseconds: number): void },
  state: CacheState,
  details: Details,
): void {
  const whole = JSON.stringify({ build: state.build, ...details });
  writeSealed(owner, DETAILS, whole, () => true);
  const stamps = [...state.inputs, ...state.outputs].map(({ stamp }) => stamp);
  const latest = stamps.reduce((latestYet, [, , ctimeMs]) => Math.max(latestYet, ctimeMs), 0);
  // The cache must be newer than every file, or the next run would have to read the newest ones again.
  writeSealed(owner, STATE, JSON.stringify(state), (mtimeMs) => {
    if (mtimeMs > latest) return true;
    owner.sleep(2);
    return false;
  });
}

/** The stamp of a file that holds what the last run left in it, or null. */
export function stampIfCached(
  { files, root, cache }: { files: FileSystem; root: string; cache: Cache },
  { path, stamp, hash }: CachedFile,
): Stamp | null {
  const absolute = join(root, path);
  const now = stampOf(files.lstat(absolute));
  if (now === null || isSameFile(stamp, now, cache.savedMs)) return now;
  return hash !== null && schemaHash(files.readText(absolute)) === hash ? now : null;
}

/** The hash that `load` gives a schema; for generated texts, which have no byte order mark, it equals `textHash`. */
function schemaHash(text: string): string {
  return textHash(withoutByteOrderMark(text));
}

/** The text that `load` reads, whose lines diagnostics point at. */
function schemaText(text: string): string {
  return withoutByteOrderMark(text).replaceAll("\r\n", "\n");
}

function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

function readSealed(owner: CacheOwner, name: string): string | null {
  const { files, root } = owner;
  const path = internalPath(root, name);
  const sealOf = sealing(owner, name);
  if (sealOf === null || files.lstat(path)?.kind !== "file") return null;
  const text = files.readText(path);
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  return text.slice(0, end) === sealOf(body) ? body : null;
}

function writeSealed(
  owner: CacheOwner,
  name: string,
  body: string,
  isLateEnough: (mtimeMs: number) => boolean,
): void {
  const { files, root } = owner;
  const sealOf = sealing(owner, name);
  if (sealOf === null) return;
  const path = internalPath(root, name);
  const draft = `${path}.draft`;
  const text = `${sealOf(body)}\n${body}`;
  clear(files, draft);
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    files.writeFile(draft, text);
    if (isLateEnough(files.lstat(draft)?.mtimeMs ?? 0)) break;
  }
  files.rename(draft, path);
}

/** What seals one file of one project, so that none can take the place of another; null without a key. */
function sealing({ root, cacheKey }: CacheOwner, name: string): ((body: string) => string) | null {
  const key = cacheKey?.() ?? null;
  return key === null ? null : (body) => hmacSha256(key, `${root}\0${name}\0${body}`);
}
