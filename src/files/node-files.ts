import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Stats } from "node:fs";
import type { FileStatus, FileSystem } from "./file-system.js";

/** The file system of the machine. */
export const nodeFiles: FileSystem = {
  lstat: (path) => statusOf(statsOf(path)),
  exists: (path) => statsOf(path) !== undefined,
  readBytes: (path) => readFileSync(path),
  readText: (path) => readFileSync(path, "utf8"),
  list: (directory) => readdirSync(directory).sort(byCodeUnit),
  writeFile: (path, text) => writeFileSync(path, text),
  createFile,
  copy: (from, to) => copyFileSync(from, to),
  makeDirectory: (path) => void mkdirSync(path, { recursive: true }),
  rename: (from, to) => {
    const replaced = statsOf(to);
    if (replaced?.isFile() === true) chmodSync(from, replaced.mode & 0o777);
    renameSync(from, to);
  },
  remove,
  removeEmptyDirectory: (path) => {
    if (readdirSync(path).length > 0) return false;
    rmdirSync(path);
    return true;
  },
  realPath: (path) => realpathSync(path),
  flush: (path) => {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

/** A path below a file does not exist either (ENOTDIR). */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

function createFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Faster to load than `rmSync`, for which Node loads the removal of whole folders. */
function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

function statusOf(stats: Stats | undefined): FileStatus | null {
  if (stats === undefined) return null;
  const { size, mtimeMs, ctimeMs, ino } = stats;
  return { kind: kindOf(stats), size, mtimeMs, ctimeMs, ino };
}

function kindOf(stats: Stats): FileStatus["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}

function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : 1;
}
