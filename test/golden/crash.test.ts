import { expect, test } from "vitest";
import { apply, isInterrupted, recover } from "../../src/apply/apply.js";
import { printJournal } from "../../src/apply/journal.js";
import { withLock } from "../../src/apply/process-lock.js";
import { textHash } from "../../src/apply/text-hash.js";
import { success } from "../../src/diagnostics/result.js";
import type { FileSystem } from "../../src/files/file-system.js";
import { MemoryFiles } from "../../src/files/memory-files.js";
import type { Fault } from "../unit/apply/failing-files.js";
import { FailingFiles } from "../unit/apply/failing-files.js";
import {
  generated,
  generateFiles,
  machine,
  planFor,
  ROOT,
  userFile,
} from "../unit/apply/project.js";

const OLD = [
  generated("src/generated/app.ts", "old app\n"),
  generated("src/generated/v1/gone/gone.ts", "gone\n"),
  generated("src/generated/edited.ts", "old edited\n"),
  userFile("src/custom/a.ts", "scaffold\n"),
];
const NEW = [
  generated("src/generated/app.ts", "new app\n"),
  generated("src/generated/v1/come/come.ts", "come\n"),
  generated("src/generated/edited.ts", "new edited\n"),
  userFile("src/custom/a.ts", "scaffold\n"),
  userFile("src/custom/b.ts", "scaffold\n"),
];

function oldProject(): MemoryFiles {
  const files = new MemoryFiles({
    [`${ROOT}/service.yaml`]: "service: helpdesk\n",
    "/elsewhere/precious.txt": "precious\n",
  });
  generateFiles(files, OLD);
  files.writeFile(`${ROOT}/src/custom/a.ts`, "a person's work\n");
  files.writeFile(`${ROOT}/src/generated/edited.ts`, "an edit\n");
  return files;
}

/** As the command line does it: recover under the lock, then plan, then apply. */
function runOnce(files: FileSystem, token: string): void {
  const here = machine(token, (other) => other === token);
  const done = withLock(files, ROOT, here, () => {
    recover(files, ROOT);
    const planned = planFor(files, NEW, { force: true });
    if (!planned.ok) throw new Error("conflict");
    const { changes } = planned.value;
    if (changes.some(({ kind }) => kind !== "unchanged")) apply(files, ROOT, planned.value);
    return success(null);
  });
  if (!done.ok) throw new Error(done.diagnostics[0]?.message);
}

/** What `generate` or `check` do first after a crash. */
function recoverOnce(files: FileSystem, token: string): void {
  const here = machine(token, (other) => other === token);
  if (!isInterrupted(files, ROOT)) return;
  withLock(files, ROOT, here, () => success(recover(files, ROOT)));
}

/** The project without the generator's own folder. */
function tree(files: MemoryFiles): Record<string, string> {
  const all = Object.entries(files.snapshot());
  return Object.fromEntries(all.filter(([path]) => !path.includes("/.rulebound/")));
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch (error) {
    // The faults of this test, and nothing else, may come out.
    if (!/at call|dead/.test(String(error))) throw error;
  }
}

const before = tree(oldProject());
const finished = oldProject();
runOnce(finished, "reference");
const after = tree(finished);

const FAULTS: readonly Fault[] = ["killed", "torn", "EIO", "ENOSPC", "EACCES"];

test("the new tree has the new files, the edited one saved, and nothing of the old", () => {
  expect(after).toMatchObject({
    "/elsewhere/precious.txt": "precious\n",
    "/project/src/custom/a.ts": "a person's work\n",
    "/project/src/custom/b.ts": "scaffold\n",
    "/project/src/generated/app.ts": "new app\n",
    "/project/src/generated/edited.ts": "new edited\n",
    "/project/src/generated/edited.ts.edited": "an edit\n",
    "/project/src/generated/v1/come/come.ts": "come\n",
  });
  expect(Object.keys(after)).toHaveLength(9);
  expect(finished.exists(`${ROOT}/src/generated/v1/gone`)).toBe(false);
});

test.each(FAULTS)(
  "%s at any step leaves the old or the new tree, after the next command",
  (fault) => {
    let step = 1;
    for (; ; step += 1) {
      const files = oldProject();
      const failing = new FailingFiles(files, fault, step);
      tryTo(() => runOnce(failing, "first"));
      if (!failing.hasFailed) break;
      recoverOnce(files, "second");
      expect([before, after], `${fault} at call ${step}`).toContainEqual(tree(files));
      runOnce(files, "third");
      expect(tree(files), `${fault} at call ${step}, run again`).toEqual(after);
    }
    expect(step).toBeGreaterThan(50);
  },
);

test.each(FAULTS)("%s at any step of the recovery is recovered from, too", (fault) => {
  let crashes = 0;
  for (let step = 1; ; step += 1) {
    const interrupted = oldProject();
    const failing = new FailingFiles(interrupted, "killed", step);
    tryTo(() => runOnce(failing, "first"));
    if (!failing.hasFailed) break;
    if (!isInterrupted(interrupted, ROOT)) continue;
    for (let second = 1; ; second += 3) {
      const files = new MemoryFiles(interrupted.snapshot());
      const recovering = new FailingFiles(files, fault, second);
      tryTo(() => recoverOnce(recovering, "second"));
      recoverOnce(files, "third");
      expect(tree(files), `call ${step}, then ${fault} at call ${second}`).toEqual(after);
      if (!recovering.hasFailed) break;
      crashes += 1;
    }
  }
  expect(crashes).toBeGreaterThan(100);
});

const REMOVAL = JSON.stringify({
  writes: [],
  removals: [{ path: "src/custom/a.ts", before: textHash("a person's work\n") }],
});

test.each(["", "half", "0".repeat(64), `${"0".repeat(64)}\n${REMOVAL}\n`])(
  "the torn journal %j counts as absent",
  (text) => {
    const files = oldProject();
    files.writeFile(`${ROOT}/.rulebound/journal`, text);
    recoverOnce(files, "second");
    expect(tree(files)).toEqual(before);
    expect(isInterrupted(files, ROOT)).toBe(false);
  },
);

test.each(["../../elsewhere/hook", ".git/hooks/pre-commit", "/elsewhere/hook"])(
  "a forged journal writes nothing to %s",
  (path) => {
    const files = oldProject();
    const hook = "#!/bin/sh\n";
    files.makeDirectory(`${ROOT}/.rulebound/stage`);
    files.writeFile(`${ROOT}/.rulebound/stage/0`, hook);
    const write = { path, staged: "0", before: null, after: textHash(hook) };
    const forged = printJournal({ writes: [write], removals: [] });
    files.writeFile(`${ROOT}/.rulebound/journal`, forged);
    recoverOnce(files, "second");
    expect(tree(files)).toEqual(before);
  },
);

test("a file that was edited after the journal was written is left alone, and the others follow", () => {
  for (let step = 1; ; step += 1) {
    const files = oldProject();
    const failing = new FailingFiles(files, "killed", step);
    tryTo(() => runOnce(failing, "first"));
    expect(failing.hasFailed).toBe(true);
    const app = `${ROOT}/src/generated/app.ts`;
    if (!isInterrupted(files, ROOT) || files.readText(app) !== "old app\n") continue;
    files.writeFile(app, "edited meanwhile\n");
    expect(recover(files, ROOT)).toEqual([]);
    expect(tree(files)).toEqual({ ...after, [app]: "edited meanwhile\n" });
    expect(planFor(files, NEW).diagnostics).toMatchObject([{ code: "OWN-1" }]);
    return;
  }
});

test("a folder that became a link after the journal was written is not followed", () => {
  for (let step = 1; ; step += 1) {
    const files = oldProject();
    const failing = new FailingFiles(files, "killed", step);
    tryTo(() => runOnce(failing, "first"));
    expect(failing.hasFailed).toBe(true);
    if (!isInterrupted(files, ROOT)) continue;
    files.rename(`${ROOT}/src/generated`, "/elsewhere/generated");
    files.link(`${ROOT}/src/generated`, "/elsewhere");
    const elsewhere = Object.entries(tree(files)).filter(([path]) => path.startsWith("/else"));
    recover(files, ROOT);
    expect(tree(files)).toMatchObject(Object.fromEntries(elsewhere));
    expect(Object.keys(tree(files)).filter((path) => path.startsWith("/else"))).toHaveLength(
      elsewhere.length,
    );
    return;
  }
});
