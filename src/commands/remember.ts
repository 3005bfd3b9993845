import { join } from "node:path";
import { MANIFEST_PATH } from "../apply/manifest.js";
import type { Details, Remembered, RememberedFile } from "../apply/remembered.js";
import { saveRemembered } from "../apply/remembered.js";
import type { Stamp } from "../apply/stamp.js";
import { stampOf } from "../apply/stamp.js";
import type { Made } from "../render/kept.js";
import type { Environment } from "./environment.js";
import type { Prepared } from "./prepare.js";

/**
 * Remembers a run that left the project as planned, so that the next one has little to do.
 * `stagedMs`: a file that was written and has changed after that was changed by somebody else.
 */
export function remember(env: Environment, prepared: Prepared, stagedMs: number): void {
  const inputs = rememberInputs(prepared);
  const outputs = rememberOutputs(env, prepared, stagedMs);
  if (inputs === null || outputs === null) return;
  const remembered: Remembered = {
    build: env.build,
    inputs,
    outputs,
    userFiles: prepared.project.outputs.flatMap(({ owner, path }) =>
      owner === "user" ? [path] : [],
    ),
  };
  const { files, root, machine } = env;
  saveRemembered({ files, root, sleep: machine.sleep }, remembered, detailsOf(prepared));
}

function detailsOf({ project: { tree, outputs } }: Prepared): Details {
  const parsed = [tree.service, ...tree.resources].map(({ hash, value }) => [hash, value]);
  const made: Record<string, Made> = {};
  for (const output of outputs) if (output.made !== undefined) made[output.path] = output.made;
  return { parsed: Object.fromEntries(parsed), made };
}

function rememberInputs({ inputs, project: { tree } }: Prepared): readonly RememberedFile[] | null {
  if (inputs === null) return null;
  const hashes = new Map([tree.service, ...tree.resources].map(({ path, hash }) => [path, hash]));
  return [...inputs].map(([path, stamp]) => ({ path, stamp, hash: hashes.get(path) ?? null }));
}

/** Null when a file is not, or may not be, as it was planned. */
function rememberOutputs(
  env: Environment,
  { plan, disk }: Prepared,
  stagedMs: number,
): readonly RememberedFile[] | null {
  const remembered: RememberedFile[] = [];
  for (const change of plan.changes) {
    if (change.kind === "kept" || change.kind === "removed" || change.owner === "user") continue;
    const { path } = change;
    if (change.kind === "unchanged") {
      const standing = disk.at(path);
      if (standing.kind !== "file") return null;
      remembered.push({ path, stamp: standing.stamp, hash: standing.hash });
      continue;
    }
    const stamp = stampOf(env.files.lstat(join(env.root, path)));
    if (stamp === null || !isAsStaged(stamp, change.text, stagedMs)) return null;
    remembered.push({ path, stamp, hash: change.after });
  }
  return remembered.some(({ path }) => path === MANIFEST_PATH) ? remembered : null;
}

function isAsStaged([size, mtimeMs]: Stamp, text: string, stagedMs: number): boolean {
  return size === Buffer.byteLength(text) && mtimeMs <= stagedMs;
}
