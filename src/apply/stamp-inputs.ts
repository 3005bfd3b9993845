import { join } from "node:path";
import { CONTRACT_FOLDER } from "../load/contract-source.js";
import { MIGRATIONS } from "../migrations/read-chain.js";
import type { FileSystem } from "../files/file-system.js";
import type { Stamp } from "./stamp.js";
import { stampOf } from "./stamp.js";

/** What a project is made of. Migrations say what the next one begins with, contracts what was promised to clients. */
const INPUTS = ["service.yaml", "resources", MIGRATIONS, CONTRACT_FOLDER];

/**
 * The stamp of every file that a project is made of, by path; take it before reading them.
 * Null if one of them is a symbolic link: its target can change without a trace.
 */
export function stampInputs(files: FileSystem, root: string): ReadonlyMap<string, Stamp> | null {
  const stamps = new Map<string, Stamp>();
  const isPlain = INPUTS.every((path) => add(files, root, path, stamps));
  return isPlain ? stamps : null;
}

function add(files: FileSystem, root: string, path: string, stamps: Map<string, Stamp>): boolean {
  const status = files.lstat(join(root, path));
  if (status === null) return true;
  if (status.kind === "directory") {
    return files
      .list(join(root, path))
      .every((name) => add(files, root, `${path}/${name}`, stamps));
  }
  const stamp = stampOf(status);
  if (stamp !== null) stamps.set(path, stamp);
  return stamp !== null;
}

/** True when both name the same files with the same stamps. */
export function sameInputs(
  one: ReadonlyMap<string, Stamp> | null,
  other: ReadonlyMap<string, Stamp> | null,
): boolean {
  if (one === null || other === null || one.size !== other.size) return false;
  return [...one].every(([path, stamp]) => stamp.join() === other.get(path)?.join());
}
