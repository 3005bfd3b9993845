import { join } from "node:path";
import type { Standing } from "../apply/disk-state.js";
import { MANIFEST_PATH } from "../apply/manifest.js";
import type { Details, Memory } from "../apply/remembered.js";
import { recallDetails, stampAsRemembered } from "../apply/remembered.js";
import { sha256 } from "../files/hash.js";
import type { FileSystem } from "../files/file-system.js";
import type { Remembered } from "../load/load-source.js";
import { NOTHING_KEPT, type Kept } from "../render/kept.js";
import type { IsSound } from "../validate/validate.js";
import type { Environment } from "./environment.js";

/** What an earlier run has done already. */
export interface Reuse {
  readonly parsed: Remembered;
  /** Says whether a schema file is one in which, among the others of then, no mistake was found. */
  readonly isSound: IsSound;
  readonly kept: Kept;
  /** What stands at a path that this run has found as the last one left it, or null. */
  readonly standing: (path: string) => Standing | null;
}

/** Everything is done anew. */
export const NO_REUSE: Reuse = {
  parsed: () => undefined,
  isSound: () => false,
  kept: NOTHING_KEPT,
  standing: () => null,
};

/** What can be taken from the run that `memory` tells of. */
export function reuseOf({ files, root, build }: Environment, memory: Memory | null): Reuse {
  const details = recallDetails(files, root, build);
  const parsed: Remembered = (hash) =>
    Object.hasOwn(details.parsed, hash) ? details.parsed[hash] : undefined;
  if (memory === null) return { ...NO_REUSE, parsed };
  const sound = new Map(memory.inputs.map(({ path, hash }) => [path, hash]));
  const isSound: IsSound = ({ path, hash }) => sound.get(path) === hash;
  const standing = standings({ files, root, memory });
  // What is kept gets its hash from generator.lock.
  if (standing(MANIFEST_PATH) === null) return { ...NO_REUSE, parsed, isSound };
  return { parsed, isSound, standing, kept: keptFiles({ files, root, memory, standing }, details) };
}

/** Where the last run left its files, and what it says of them. */
interface Place {
  readonly files: FileSystem;
  readonly root: string;
  readonly memory: Memory;
}

/** Looks each file of the last run up once, when it is first asked for. */
function standings(place: Place): Reuse["standing"] {
  const outputs = new Map(place.memory.outputs.map((file) => [file.path, file]));
  const found = new Map<string, Standing | null>();
  const look = (path: string): Standing | null => {
    const file = outputs.get(path);
    if (file === undefined || file.hash === null) return null;
    const stamp = stampAsRemembered(place, file);
    return stamp === null ? null : { kind: "file", hash: file.hash, stamp };
  };
  return (path) => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const standing = look(path);
    found.set(path, standing);
    return standing;
  };
}

function keptFiles(
  { files, root, memory, standing }: Place & Pick<Reuse, "standing">,
  details: Details,
): Kept {
  const userFiles = new Set(memory.userFiles);
  // What is the user's is never written again, whatever is in it.
  const isThere = (path: string): boolean =>
    userFiles.has(path) ? files.exists(join(root, path)) : standing(path) !== null;
  const made: Kept["made"] = (path) =>
    Object.hasOwn(details.made, path) && isThere(path) ? (details.made[path] ?? null) : null;
  const cutUp = new Map<string, ReadonlyMap<string, string>>();
  const read = (path: string): ReadonlyMap<string, string> => {
    const { cuts = [] } = made(path) ?? {};
    if (cuts.length === 0) return new Map();
    const text = files.readText(join(root, path));
    const before = standing(path);
    // Somebody may have changed it since it was looked up.
    if (before?.kind !== "file" || sha256(text) !== before.hash) return new Map();
    return new Map(cuts.map(([key, start, end]) => [key, text.slice(start, end)]));
  };
  const piece: Kept["piece"] = (path, key) => {
    const pieces = cutUp.get(path) ?? read(path);
    cutUp.set(path, pieces);
    return pieces.get(key) ?? null;
  };
  return { made, piece };
}
