import { join } from "node:path";
import type { Standing } from "../apply/disk-state.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import type { Details, Cache } from "../apply/cache.js";
import { readCacheDetails, stampIfCached } from "../apply/cache.js";
import { sha256 } from "../files/hash.js";
import type { FileSystem } from "../files/file-system.js";
import type { ParsedCache } from "../load/load-source.js";
import { NOTHING_KEPT, type Kept } from "../render/kept.js";
import type { IsUnchanged } from "../validate/validate.js";
import type { Environment } from "./environment.js";

/** Results of an earlier run that are still valid. */
export interface Reuse {
  readonly parsed: ParsedCache;
  /** True for a schema file that is the same as in the last run, which found nothing to say of it. */
  readonly isUnchanged: IsUnchanged;
  readonly kept: Kept;
  /** The state of a file that is as the last run left it, or null. */
  readonly standing: (path: string) => Standing | null;
}

/** Nothing is reused. */
export const NO_REUSE: Reuse = {
  parsed: () => undefined,
  isUnchanged: () => false,
  kept: NOTHING_KEPT,
  standing: () => null,
};

/** What can be reused from the run that wrote `cache`. */
export function reuseOf(env: Environment, cache: Cache | null): Reuse {
  const { files, root } = env;
  const details = readCacheDetails(env);
  const parsed: ParsedCache = (hash) =>
    Object.hasOwn(details.parsed, hash) ? details.parsed[hash] : undefined;
  if (cache === null) return { ...NO_REUSE, parsed };
  const unchanged = new Map(cache.inputs.map(({ path, hash }) => [path, hash]));
  const warned = new Set(cache.warnings.map(({ span }) => span.file));
  // service.yaml is checked in every run; a schema file with a warning is, so that the warning is found again.
  warned.delete("service.yaml");
  const isUnchanged: IsUnchanged = ({ path, hash }) =>
    unchanged.get(path) === hash && !warned.has(path);
  const standing = standings({ files, root, cache });
  // The hashes of reused files are read from generator.lock.
  if (standing(MANIFEST_PATH) === null) return { ...NO_REUSE, parsed, isUnchanged };
  return {
    parsed,
    isUnchanged,
    standing,
    kept: keptFiles({ files, root, cache, standing }, details),
  };
}

/** A project, and what the last run wrote there. */
interface Place {
  readonly files: FileSystem;
  readonly root: string;
  readonly cache: Cache;
}

/** Looks up each file of the last run once, on demand. */
function standings(place: Place): Reuse["standing"] {
  const outputs = new Map(place.cache.outputs.map((file) => [file.path, file]));
  const found = new Map<string, Standing | null>();
  const look = (path: string): Standing | null => {
    const file = outputs.get(path);
    if (file === undefined || file.hash === null) return null;
    const stamp = stampIfCached(place, file);
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
  { files, root, cache, standing }: Place & Pick<Reuse, "standing">,
  details: Details,
): Kept {
  const userFiles = new Set(cache.userFiles);
  // A file of the user only has to exist: it is never written again.
  const isThere = (path: string): boolean =>
    userFiles.has(path) ? files.exists(join(root, path)) : standing(path) !== null;
  const made: Kept["made"] = (path) => {
    const known = Object.hasOwn(details.made, path) ? details.made[path] : undefined;
    return known !== undefined && isThere(path) ? known : null;
  };
  const cutUp = new Map<string, ReadonlyMap<string, string>>();
  const read = (path: string): ReadonlyMap<string, string> => {
    const { cuts = [] } = made(path) ?? {};
    if (cuts.length === 0) return new Map();
    const text = files.readText(join(root, path));
    const before = standing(path);
    // The file may have changed since it was looked up.
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
