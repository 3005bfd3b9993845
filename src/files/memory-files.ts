import { posix } from "node:path";
import type { FileStatus, FileSystem } from "./file-system.js";

type Entry =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
      readonly time: number;
      readonly ino: number;
    }
  | { readonly kind: "directory" }
  | { readonly kind: "link"; readonly target: string };

/** A file system in memory, for tests: POSIX paths, a clock that ticks once a write. */
export class MemoryFiles implements FileSystem {
  readonly #entries = new Map<string, Entry>([["/", { kind: "directory" }]]);
  #time = 0;

  /** Starts with these files; the directories that they stand in are made. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) {
      this.makeDirectory(posix.dirname(path));
      this.#write(path, typeof content === "string" ? Buffer.from(content) : content);
    }
  }

  /** Every file with its text, sorted by path: what a test compares. */
  snapshot(): Record<string, string> {
    const paths = [...this.#entries.keys()].filter((path) => this.#at(path).kind === "file").sort();
    return Object.fromEntries(paths.map((path) => [path, this.readText(path)]));
  }

  /** Makes a symbolic link, as a hostile project might hold. */
  link(path: string, target: string): void {
    this.makeDirectory(posix.dirname(path));
    this.#entries.set(path, { kind: "link", target });
  }

  lstat(path: string): FileStatus | null {
    const entry = this.#entries.get(path);
    if (entry === undefined) return null;
    if (entry.kind !== "file") return { kind: entry.kind, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 };
    const { bytes, time, ino } = entry;
    return { kind: "file", size: bytes.length, mtimeMs: time, ctimeMs: time, ino };
  }

  exists(path: string): boolean {
    return this.#entries.has(path);
  }

  readBytes(path: string): Uint8Array {
    const entry = this.#at(this.realPath(path));
    if (entry.kind !== "file") throw failure("EISDIR", path);
    return entry.bytes;
  }

  readText(path: string): string {
    return Buffer.from(this.readBytes(path)).toString("utf8");
  }

  list(directory: string): readonly string[] {
    if (this.#at(this.realPath(directory)).kind !== "directory")
      throw failure("ENOTDIR", directory);
    const real = this.realPath(directory);
    return [...this.#entries.keys()]
      .filter((path) => path !== "/" && posix.dirname(path) === real)
      .map((path) => posix.basename(path))
      .sort();
  }

  writeFile(path: string, text: string): void {
    if (this.#entries.get(posix.dirname(path))?.kind !== "directory") throw failure("ENOENT", path);
    if (this.#entries.get(path)?.kind === "directory") throw failure("EISDIR", path);
    this.#write(path, Buffer.from(text));
  }

  createFile(path: string, text: string): boolean {
    if (this.exists(path)) return false;
    this.writeFile(path, text);
    return true;
  }

  copy(from: string, to: string): void {
    const bytes = this.readBytes(from);
    this.writeFile(to, "");
    this.#write(to, bytes);
  }

  makeDirectory(path: string): void {
    if (this.#entries.get(path)?.kind === "file") throw failure("EEXIST", path);
    if (path !== "/") this.makeDirectory(posix.dirname(path));
    if (!this.#entries.has(path)) this.#entries.set(path, { kind: "directory" });
  }

  rename(from: string, to: string): void {
    const moved = [...this.#entries].filter(
      ([path]) => path === from || path.startsWith(`${from}/`),
    );
    if (moved.length === 0) throw failure("ENOENT", from);
    for (const [path] of moved) this.#entries.delete(path);
    for (const [path, entry] of moved) this.#entries.set(to + path.slice(from.length), entry);
  }

  remove(path: string): void {
    if (this.#entries.get(path)?.kind === "directory") throw failure("EISDIR", path);
    this.#entries.delete(path);
  }

  removeEmptyDirectory(path: string): boolean {
    if (this.list(path).length > 0) return false;
    return this.#entries.delete(path);
  }

  realPath(path: string): string {
    let current = "/";
    let links = 0;
    const steps = posix.normalize(path).split("/").filter(Boolean);
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      current = posix.join(current, step);
      const entry = this.#at(current);
      if (entry.kind !== "link") continue;
      links += 1;
      if (links > 40) throw failure("ELOOP", path);
      steps.unshift(
        ...posix.resolve(posix.dirname(current), entry.target).split("/").filter(Boolean),
      );
      current = "/";
    }
    return current;
  }

  flush(path: string): void {
    this.#at(path);
  }

  #at(path: string): Entry {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw failure("ENOENT", path);
    return entry;
  }

  #write(path: string, bytes: Uint8Array): void {
    this.#time += 1;
    this.#entries.set(path, { kind: "file", bytes, time: this.#time, ino: this.#time });
  }
}

/** An error like those of Node's own file functions. */
function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}
