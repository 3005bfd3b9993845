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
const CONTRACT_PATH = /^contract\/(v[1-9][0-9]{0,8})(?:\/[^/]+)?\.json$/;

/** Every `contract/v<N>.json` and `contract/v<N>/<plural>.json`, ascending by path; links that leave the project are none. */
export function contractSources(files: FileSystem, root: string): readonly ContractSource[] {
  return list(files, root, CONTRACT_FOLDER).flatMap((name) => {
    const path = `${CONTRACT_FOLDER}/${name}`;
    const paths = VERSION.test(name)
      ? list(files, root, path).map((one) => `${path}/${one}`)
      : [path];
    return paths.flatMap((one) => readOne(files, root, one));
  });
}

/** A frozen contract from its text; null where no contract has such a path. */
export function contractSource(path: string, text: string): ContractSource | null {
  const version = CONTRACT_PATH.exec(path)?.[1];
  if (version === undefined) return null;
  return { path, version, text, value: parsed(text) };
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

function readOne(files: FileSystem, root: string, path: string): ContractSource[] {
  if (!CONTRACT_PATH.test(path)) return [];
  const real = followed(files, root, join(root, path));
  if (real === null || files.lstat(real)?.kind !== "file") return [];
  return [contractSource(path, files.readText(real).replaceAll("\r\n", "\n")) ?? []].flat();
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
