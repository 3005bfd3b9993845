import type { FileStatus, FileSystem } from "../../../src/files/file-system.js";

/** How a step goes wrong: the process dies, dies in the middle of a write, or the call fails. */
export type Fault = "killed" | "torn" | "EIO" | "ENOSPC" | "EACCES";

/** A file system of which call number `failAt` goes wrong; a killed process never calls again. */
export class FailingFiles implements FileSystem {
  #calls = 0;
  #isDead = false;

  constructor(
    private readonly inner: FileSystem,
    private readonly fault: Fault,
    private readonly failAt: number,
  ) {}

  /** False when the run was over before its fault came. */
  get hasFailed(): boolean {
    return this.#calls >= this.failAt;
  }

  lstat(path: string): FileStatus | null {
    return this.#call(() => this.inner.lstat(path));
  }
  exists(path: string): boolean {
    return this.#call(() => this.inner.exists(path));
  }
  readBytes(path: string): Uint8Array {
    return this.#call(() => this.inner.readBytes(path));
  }
  readText(path: string): string {
    return this.#call(() => this.inner.readText(path));
  }
  list(path: string): readonly string[] {
    return this.#call(() => this.inner.list(path));
  }
  writeFile(path: string, text: string): void {
    const half = text.slice(0, text.length / 2);
    this.#call(
      () => this.inner.writeFile(path, text),
      () => this.inner.writeFile(path, half),
    );
  }
  createFile(path: string, text: string): boolean {
    const half = text.slice(0, text.length / 2);
    return this.#call(
      () => this.inner.createFile(path, text),
      () => this.inner.createFile(path, half),
    );
  }
  copy(from: string, to: string): void {
    this.#call(
      () => this.inner.copy(from, to),
      () => this.inner.writeFile(to, ""),
    );
  }
  makeDirectory(path: string): void {
    this.#call(() => this.inner.makeDirectory(path));
  }
  rename(from: string, to: string): void {
    this.#call(() => this.inner.rename(from, to));
  }
  remove(path: string): void {
    this.#call(() => this.inner.remove(path));
  }
  removeEmptyDirectory(path: string): boolean {
    return this.#call(() => this.inner.removeEmptyDirectory(path));
  }
  realPath(path: string): string {
    return this.#call(() => this.inner.realPath(path));
  }
  flush(path: string): void {
    this.#call(() => this.inner.flush(path));
  }

  #call<T>(work: () => T, tear?: () => unknown): T {
    if (this.#isDead) throw new Error("the process is dead");
    this.#calls += 1;
    if (this.#calls !== this.failAt) return work();
    if (this.fault === "torn" || this.fault === "ENOSPC") tear?.();
    this.#isDead = this.fault === "killed" || this.fault === "torn";
    throw Object.assign(new Error(`${this.fault} at call ${this.failAt}`), { code: this.fault });
  }
}
