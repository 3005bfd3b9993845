import { join } from "node:path";
import type { Cut } from "../artifacts/pieces.js";
import type { Details, Memory, PiecedFile } from "../apply/remembered.js";
import { areOutputsUnchanged, recallDetails } from "../apply/remembered.js";
import { sha256 } from "../files/hash.js";
import type { FileSystem } from "../files/file-system.js";
import type { Remembered } from "../load/load-source.js";
import type { ServiceModel } from "../model/service-model.js";
import type { Kept } from "../render/render.js";
import { resourceId } from "../model/resource-id.js";
import type { IsSound } from "../validate/validate.js";
import type { Environment } from "./environment.js";
import { resourceHashes } from "./resource-hash.js";

/** What an earlier run has done already. */
export interface Reuse {
  readonly parsed: Remembered;
  /** Says whether a schema file is one in which, among the others of then, no mistake was found. */
  readonly isSound: IsSound;
  readonly kept: (service: ServiceModel) => Kept;
}

/** Everything is done anew. */
export const NO_REUSE: Reuse = {
  parsed: () => undefined,
  isSound: () => false,
  kept: () => ({ isKept: () => false, piece: () => null, kernelFiles: () => [] }),
};

/** What can be taken from the run that `memory` tells of. */
export function reuseOf({ files, root, build }: Environment, memory: Memory | null): Reuse {
  const details = recallDetails(files, root, build);
  const parsed: Remembered = (hash) =>
    Object.hasOwn(details.parsed, hash) ? details.parsed[hash] : undefined;
  if (memory === null) return { ...NO_REUSE, parsed };
  const sound = new Map(memory.inputs.map(({ path, hash }) => [path, hash]));
  const isSound: IsSound = ({ path, hash }) => sound.get(path) === hash;
  if (!areOutputsUnchanged(files, root, memory)) return { ...NO_REUSE, parsed, isSound };
  const piece = pieces({ files, root }, details);
  const kept = (service: ServiceModel): Kept => {
    const hashes = resourceHashes(service);
    const isKept: Kept["isKept"] = (resource) => {
      const id = resourceId(resource);
      return Object.hasOwn(details.resources, id) && details.resources[id] === hashes.get(id);
    };
    const kernelFiles: Kept["kernelFiles"] = (resource) => {
      const place = details.imported[resourceId(resource)];
      return place === undefined ? [] : (details.imports[place] ?? []);
    };
    return { isKept, piece, kernelFiles };
  };
  return { parsed, isSound, kept };
}

/** Takes pieces out of the files that the last run wrote. */
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
    return texts.get(keyOf(resourceId(resource), name)) ?? null;
  };
}

/** The pieces of a text; none when it is not the one that the cuts were made for. */
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
