import { readDisk } from "../../../src/apply/read-disk.js";
import { apply } from "../../../src/apply/apply.js";
import type { Plan } from "../../../src/apply/change.js";
import { readManifest } from "../../../src/apply/manifest.js";
import { plan, type PlanOptions } from "../../../src/apply/plan.js";
import type { Machine } from "../../../src/apply/process-lock.js";
import type { Result } from "../../../src/diagnostics/result.js";
import type { FileSystem } from "../../../src/files/file-system.js";
import type { OutputFile } from "../../../src/render/output-file.js";

/** Where the project of a test stands. */
export const ROOT = "/project";

/** A file that is rewritten freely. */
export function generated(path: string, text: string | null): OutputFile {
  return { path, owner: "generator", text };
}

/** A file that is made once. */
export function userFile(path: string, text: string): OutputFile {
  return { path, owner: "user", text };
}

/** Plans against what stands in the project. */
export function planFor(
  files: FileSystem,
  outputs: readonly OutputFile[],
  { force = false, version = "1.2.3", once = [] }: Partial<PlanOptions> = {},
): Result<Plan> {
  const lock = `${ROOT}/generator.lock`;
  const text = files.exists(lock) ? files.readText(lock) : null;
  const manifest = readManifest(text, version);
  if (!manifest.ok) return manifest;
  return plan(outputs, readDisk(files, ROOT, manifest.value), { version, force, once });
}

/** Plans and carries it out; a conflict fails the test. */
export function generateFiles(
  files: FileSystem,
  outputs: readonly OutputFile[],
  options: { force?: boolean } = {},
): Plan {
  const planned = planFor(files, outputs, options);
  if (!planned.ok) throw new Error(planned.diagnostics.map(({ message }) => message).join("\n"));
  apply(files, ROOT, planned.value);
  return planned.value;
}

/** `created src/app.ts` for each change, in order. */
export function linesOf({ changes }: Plan): string[] {
  return changes.map(({ kind, path }) => `${kind} ${path}`);
}

/** A machine whose clock runs only while a run sleeps. */
export function machine(token: string, isAlive: (token: string) => boolean): Machine {
  let now = 0;
  return {
    run: { token, pid: 1, started: "1", host: "here", boot: "first" },
    isAlive: (run) => isAlive(run.token),
    sleep: (milliseconds) => {
      now += milliseconds;
    },
    now: () => now,
  };
}
