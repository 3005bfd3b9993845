import { join } from "node:path";
import { MANIFEST_PATH } from "../load/contract-source.js";
import type { CachedFile, CacheState, Details } from "../apply/cache.js";
import { writeCache } from "../apply/cache.js";
import type { Stamp } from "../apply/stamp.js";
import { stampOf } from "../apply/stamp.js";
import { MIGRATIONS } from "../migrations/read-chain.js";
import type { Environment } from "./environment.js";
import type { Prepared } from "./prepare.js";

/**
 * Writes the cache after a run that left the project as planned, so that the next run has little to do.
 * `stagedMs` is when all texts were written: a later change of a file was made by somebody else.
 */
export function updateCache(env: Environment, prepared: Prepared, stagedMs: number): void {
  const inputs = cachedInputs(env, prepared, stagedMs);
  const outputs = cachedOutputs(env, prepared, stagedMs);
  if (inputs === null || outputs === null) return;
  const cached: CacheState = {
    build: env.build,
    inputs,
    outputs,
    warnings: prepared.project.warnings.map(({ source, ...warning }) => ({
      ...warning,
      hasFrame: source !== "",
    })),
    userFiles: prepared.project.outputs.flatMap(({ owner, path }) =>
      owner === "user" ? [path] : [],
    ),
  };
  writeCache({ ...env, sleep: env.machine.sleep }, cached, detailsOf(prepared));
}

function detailsOf({ project: { tree, outputs } }: Prepared): Details {
  const parsed = [tree.service, ...tree.resources].map(({ hash, value }) => [hash, value]);
  const made = outputs.flatMap((output) =>
    output.made === undefined ? [] : [[output.path, output.made] as const],
  );
  return { parsed: Object.fromEntries(parsed), made: Object.fromEntries(made) };
}

/** Null if one of them cannot be trusted. A migration that the run has made is read by the next one. */
function cachedInputs(
  env: Environment,
  { inputs, plan, project: { tree } }: Prepared,
  stagedMs: number,
): readonly CachedFile[] | null {
  if (inputs === null) return null;
  const hashes = new Map([tree.service, ...tree.resources].map(({ path, hash }) => [path, hash]));
  const read = [...inputs].map(([path, stamp]) => ({
    path,
    stamp,
    hash: hashes.get(path) ?? null,
  }));
  const made: CachedFile[] = [];
  for (const change of plan.changes) {
    if (change.kind !== "created" || !change.path.startsWith(`${MIGRATIONS}/`)) continue;
    const stamp = stampOf(env.files.lstat(join(env.root, change.path)));
    if (stamp === null || !isAsStaged(stamp, change.text, stagedMs)) return null;
    made.push({ path: change.path, stamp, hash: null });
  }
  return [...read, ...made].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null if a file differs, or could differ, from the plan. */
function cachedOutputs(
  env: Environment,
  { plan, disk }: Prepared,
  stagedMs: number,
): readonly CachedFile[] | null {
  const cached: CachedFile[] = [];
  for (const change of plan.changes) {
    if (change.kind === "kept" || change.kind === "removed" || change.owner === "user") continue;
    const { path } = change;
    if (change.kind === "unchanged") {
      const standing = disk.at(path);
      if (standing.kind !== "file") return null;
      cached.push({ path, stamp: standing.stamp, hash: standing.hash });
      continue;
    }
    const stamp = stampOf(env.files.lstat(join(env.root, path)));
    if (stamp === null || !isAsStaged(stamp, change.text, stagedMs)) return null;
    cached.push({ path, stamp, hash: change.after });
  }
  return cached.some(({ path }) => path === MANIFEST_PATH) ? cached : null;
}

function isAsStaged([size, mtimeMs]: Stamp, text: string, stagedMs: number): boolean {
  return size === Buffer.byteLength(text) && mtimeMs <= stagedMs;
}
