/** What is at a path, without following a symbolic link. Times in milliseconds since 1970, sizes in bytes. */
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
  /** Null if the path does not exist. */
  lstat(path: string): FileStatus | null;
  /** True if the path exists; a symbolic link counts, wherever it leads. */
  exists(path: string): boolean;
  readBytes(path: string): Uint8Array;
  readText(path: string): string;
  /** The names in a directory, sorted by code unit, so that no run depends on the file system's order. */
  list(directory: string): readonly string[];
  writeFile(path: string, text: string): void;
  /** Creates a file, and returns false if it already exists: of several processes, one succeeds. */
  createFile(path: string, text: string): boolean;
  /** Copies the bytes of a file. */
  copy(from: string, to: string): void;
  /** Creates the directory, and missing directories above it. */
  makeDirectory(path: string): void;
  /** A file that is replaced leaves its permissions to the new one. */
  rename(from: string, to: string): void;
  /** Removes a file or a symbolic link, if it exists. */
  remove(path: string): void;
  /** Removes a directory if it is empty, and returns whether it did. */
  removeEmptyDirectory(path: string): boolean;
  /** The path with every symbolic link followed. */
  realPath(path: string): string;
  /** Waits until the content of a file or a directory is on the disk (fsync). */
  flush(path: string): void;
}
