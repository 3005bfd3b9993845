import { posix } from "node:path";
import { MemoryFiles } from "../files/memory-files.js";
import type { ServiceModel } from "../model/service-model.js";
import { readModel } from "./read-model.js";
import { UsageError } from "./usage-error.js";

/** Earlier texts of a project, as version control keeps them. */
export interface Revisions {
  /** service.yaml and the files below resources, by path; throws `UsageError` where there is no such revision. */
  schemasAt(root: string, revision: string): ReadonlyMap<string, string>;
  /** The committed promise of a version; null where nothing of it is committed. */
  promiseOf(root: string, version: string): CommittedPromise | null;
}

/** A promise in version control. */
export interface CommittedPromise {
  /** The last commit that changed it, in short. */
  readonly commit: string;
  /** `2026-01-31` */
  readonly date: string;
  /** The files of its contract, by path. */
  readonly contracts: ReadonlyMap<string, string>;
}

const ROOT = "/revision";

/** The model of the schemas of another revision, compiled in memory. */
export async function readRevision(
  root: string,
  revision: string,
  revisions: Revisions,
): Promise<ServiceModel> {
  const texts = revisions.schemasAt(root, revision);
  if (!texts.has("service.yaml")) {
    throw new UsageError(`There was no service.yaml in this folder at ${revision}.`);
  }
  const placed = [...texts].map(([path, text]) => [posix.join(ROOT, path), text]);
  const read = await readModel(new MemoryFiles(Object.fromEntries(placed)), ROOT);
  if (read.ok) return read.value.model;
  const [first] = read.diagnostics.filter(({ severity }) => severity === "error");
  const place =
    first === undefined ? "" : ` ${first.span.file}:${first.span.line}: ${first.message}`;
  throw new UsageError(`The schemas of ${revision} cannot be read by this generator.${place}`);
}
