import { join } from "node:path";
import type { Cut } from "../artifacts/pieces.js";
import type { Details, Cache, PiecedFile } from "../apply/cache.js";
import { areOutputsUnchanged, readCacheDetails } from "../apply/cache.js";
import { sha256 } from "../files/hash.js";
import type { FileSystem } from "../files/file-system.js";
import type { ParsedCache } from "../load/load-source.js";
import type { ServiceModel } from "../model/service-model.js";
import type { Kept } from "../render/render.js";
import { partId } from "../model/part-id.js";
import type { IsUnchanged } from "../validate/validate.js";
import type { Environment } from "./environment.js";
import { partHashes } from "./part-hash.js";

/** Results of an earlier run that are still valid. */
export interface Reuse {
  readonly parsed: ParsedCache;
  /** True for a schema file that is the same as in the last run, which found no mistake. */
  readonly isUnchanged: IsUnchanged;
  readonly kept: (service: ServiceModel) => Kept;
}

/** Nothing is reused. */
export const NO_REUSE: Reuse = {
  parsed: () => undefined,
  isUnchanged: () => false,
  kept: () => ({ isKept: () => false, piece: () => null, kernelFiles: () => [] }),
};

/** What can be reused from the run that wrote `cache`. */
export function reuseOf({ files, root, build }: Environment, cache: Cache | null): Reuse {
  const details = readCacheDetails(files, root, build);
  const parsed: ParsedCache = (hash) =>
    Object.hasOwn(details.parsed, hash) ? details.parsed[hash] : undefined;
  if (cache === null) return { ...NO_REUSE, parsed };
  const unchanged = new Map(cache.inputs.map(({ path, hash }) => [path, hash]));
  const isUnchanged: IsUnchanged = ({ path, hash }) => unchanged.get(path) === hash;
  if (!areOutputsUnchanged(files, root, cache)) return { ...NO_REUSE, parsed, isUnchanged };
  const piece = pieces({ files, root }, details);
  const kept = (service: ServiceModel): Kept => {
    const hashes = partHashes(service);
    const isKept: Kept["isKept"] = (part) => {
      const id = partId(part);
      return Object.hasOwn(details.parts, id) && details.parts[id] === hashes.get(id);
    };
    const kernelFiles: Kept["kernelFiles"] = (part) => {
      const place = details.imported[partId(part)];
      return place === undefined ? [] : (details.imports[place] ?? []);
    };
    return { isKept, piece, kernelFiles };
  };
  return { parsed, isUnchanged, kept };
}

/** Finds pieces in the files that the last run wrote. */
function pieces(
  { files, root }: { readonly files: FileSystem; readonly root: string },
  { pieced }: Details,
): Kept["piece"] {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const read = (path: string): ReadonlyMap<string, string> => {
    const file = Object.hasOwn(pieced, path) ? pieced[path] : undefined;
    return file === undefined ? new Map() : cutUp(files.readText(join(root, path)), file);
  };
  return (path, resource, name) => {
    const texts = known.get(path) ?? read(path);
    known.set(path, texts);
    return texts.get(keyOf(partId(resource), name)) ?? null;
  };
}

/** The pieces of a text; empty if it is not the text that the cuts were made for. */
function cutUp(text: string, { hash, cuts }: PiecedFile): ReadonlyMap<string, string> {
  if (sha256(text) !== hash) return new Map();
  const piece = ([resource, name, start, end]: Cut): readonly [string, string] => [
    keyOf(resource, name),
    text.slice(start, end),
  ];
  return new Map(cuts.map(piece));
}

function keyOf(resource: string, name: string): string {
  return `${resource} ${name}`;
}
