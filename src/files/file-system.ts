/** What stands at a path, a symbolic link not followed. Times in milliseconds since 1970, sizes in bytes. */
export interface FileStatus {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

/**
 * The file system as the generator uses it: synchronous, since asynchronous calls cost four times the CPU.
 * Paths are absolute. Methods throw the error of the operating system, unless they say otherwise.
 */
export interface FileSystem {
  /** Null when nothing stands there. */
  lstat(path: string): FileStatus | null;
  /** Says whether something stands there; a symbolic link counts, wherever it leads. */
  exists(path: string): boolean;
  readBytes(path: string): Uint8Array;
  readText(path: string): string;
  /** The names in a directory, sorted by code unit, so that no run depends on the file system's order. */
  list(directory: string): readonly string[];
  writeFile(path: string, text: string): void;
  /** Makes a file that was not there, and says whether it did: of many processes one succeeds. */
  createFile(path: string, text: string): boolean;
  /** Copies the bytes of a file. */
  copy(from: string, to: string): void;
  /** Makes the directory, and those above it that are missing. */
  makeDirectory(path: string): void;
  rename(from: string, to: string): void;
  /** Removes a file or a symbolic link; nothing to remove is fine. */
  remove(path: string): void;
  /** Removes a directory if nothing is in it, and says whether it did. */
  removeEmptyDirectory(path: string): boolean;
  /** The path with every symbolic link followed. */
  realPath(path: string): string;
  /** Waits until what was written to a file or a directory is on the disk. */
  flush(path: string): void;
}
