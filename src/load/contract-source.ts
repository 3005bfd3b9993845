import { join } from "node:path";
import type { FileSystem } from "../files/file-system.js";
import { followed } from "./source-file.js";

/** The list of all that the generator wrote in a project, each file with its hash. */
export const MANIFEST_PATH = "generator.lock";

/** The folder of what was promised of published versions. */
export const CONTRACT_FOLDER = "contract";

/** A file of the frozen contract of a version, as `generator publish` and `generator generate` write it. */
export interface ContractSource {
  /** `contract/v1/tickets.json`, or `contract/v1.json` for the version as a whole. */
  readonly path: string;
  /** `v1` */
  readonly version: string;
  /** Lines end in a line feed. */
  readonly text: string;
  /** What its JSON says; undefined where it is not JSON. */
  readonly value: unknown;
}

const VERSION = /^v[1-9][0-9]{0,8}$/;

/** Every `contract/v<N>.json` and `contract/v<N>/<plural>.json`, ascending by path; links that leave the project are none. */
export function contractSources(files: FileSystem, root: string): readonly ContractSource[] {
  return list(files, root, CONTRACT_FOLDER).flatMap((name) => {
    const path = `${CONTRACT_FOLDER}/${name}`;
    const version = name.replace(/\.json$/, "");
    if (!VERSION.test(version)) return [];
    const paths =
      name === version ? list(files, root, path).map((one) => `${path}/${one}`) : [path];
    return paths.flatMap((one) =>
      one.endsWith(".json") ? readOne(files, root, version, one) : [],
    );
  });
}

/** The paths of frozen contracts that generator.lock lists, and that are not there. */
export function lostContracts(
  files: FileSystem,
  root: string,
  found: readonly ContractSource[],
): readonly string[] {
  const path = join(root, MANIFEST_PATH);
  if (files.lstat(path)?.kind !== "file") return [];
  const listed = files.readText(path).match(/(?<= {2})contract\/v[^\r\n]+\.json$/gm) ?? [];
  const there = new Set(found.map((source) => source.path));
  return [...new Set(listed)].filter((one) => !there.has(one));
}

function readOne(files: FileSystem, root: string, version: string, path: string): ContractSource[] {
  const real = followed(files, root, join(root, path));
  if (real === null || files.lstat(real)?.kind !== "file") return [];
  const text = files.readText(real).replaceAll("\r\n", "\n");
  return [{ path, version, text, value: parsed(text) }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function list(files: FileSystem, root: string, path: string): readonly string[] {
  const real = followed(files, root, join(root, path));
  if (real === null || files.lstat(real)?.kind !== "directory") return [];
  return [...files.list(real)].sort();
}
