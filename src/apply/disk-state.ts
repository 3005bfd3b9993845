import type { Manifest } from "./manifest.js";
import type { Stamp } from "./stamp.js";

/** What is at a path; nothing is ever read or written through a symbolic link (G6). */
export type Standing =
  | { readonly kind: "absent" }
  | {
      readonly kind: "file";
      readonly hash: string;
      /** Taken before the file was read. */
      readonly stamp: Stamp;
    }
  /** The path, or a folder on the way to it, is a symbolic link or leads outside the project. */
  | { readonly kind: "astray" }
  /** `path` is a directory or a special file, or there is a file where a folder is needed. */
  | { readonly kind: "obstructed"; readonly path: string };

/** What a plan needs to know about the present state of the project. */
export interface DiskState {
  readonly manifest: Manifest;
  at(path: string): Standing;
}
