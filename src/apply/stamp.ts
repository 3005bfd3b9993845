import type { FileStatus } from "../files/file-system.js";

/** What tells that a file is the same one, unread: size, times of change in milliseconds, and inode. */
export type Stamp = readonly [size: number, mtimeMs: number, ctimeMs: number, ino: number];

/** The stamp of a regular file; null for anything else. */
export function stampOf(status: FileStatus | null): Stamp | null {
  if (status === null || status.kind !== "file") return null;
  return [status.size, status.mtimeMs, status.ctimeMs, status.ino];
}

/**
 * True when a file with the stamp `now` surely holds what it held with the stamp `then`.
 * One that changed no earlier than the memory itself, `savedMs`, may have changed once more in the
 * same tick of the clock, so it does not count.
 */
export function isSameFile(then: Stamp, now: Stamp | null, savedMs: number): boolean {
  const ctimeMs = then[2];
  return now !== null && ctimeMs < savedMs && then.every((part, index) => part === now[index]);
}
