import type { FileStatus } from "../files/file-system.js";

/** Shows without reading a file whether it has changed: size, times of change in milliseconds, and inode. */
export type Stamp = readonly [size: number, mtimeMs: number, ctimeMs: number, ino: number];

/** The stamp of a regular file; null for anything else. */
export function stampOf(status: FileStatus | null): Stamp | null {
  if (status === null || status.kind !== "file") return null;
  return [status.size, status.mtimeMs, status.ctimeMs, status.ino];
}

/**
 * True if a file with the stamp `now` certainly has the content that it had with the stamp `then`.
 * A file that is as new as the cache (`savedMs`) does not count: it may have changed once more in the same tick of the
 * clock.
 */
export function isSameFile(then: Stamp, now: Stamp | null, savedMs: number): boolean {
  const ctimeMs = then[2];
  return now !== null && ctimeMs < savedMs && then.every((part, index) => part === now[index]);
}
