import { expect, test } from "vitest";
import { withLock } from "../../../src/apply/process-lock.js";
import { success } from "../../../src/diagnostics/result.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { FailingFiles } from "./failing-files.js";
import { machine, ROOT } from "./project.js";

const LOCK = `${ROOT}/.rulebound/lock`;

/** A project in which the run with this token died while it held the lock. */
function projectLockedBy(token: string): MemoryFiles {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  withLock(
    files,
    ROOT,
    machine(token, () => true),
    () => {
      files.copy(LOCK, `${ROOT}/kept`);
      return success(null);
    },
  );
  files.rename(`${ROOT}/kept`, LOCK);
  return files;
}

test("the lock is held during the work, and gone after it", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const seen = withLock(
    files,
    ROOT,
    machine("a", () => true),
    () => success(files.exists(LOCK)),
  );
  expect(seen).toMatchObject({ ok: true, value: true });
  expect(files.exists(LOCK)).toBe(false);
});

test("the lock is gone after work that throws", () => {
  const files = new MemoryFiles({ [`${ROOT}/service.yaml`]: "" });
  const work = (): never => {
    throw new Error("broken");
  };
  expect(() =>
    withLock(
      files,
      ROOT,
      machine("a", () => true),
      work,
    ),
  ).toThrow("broken");
  expect(files.exists(LOCK)).toBe(false);
});

test("a living holder is waited for, and then OWN-5 says who it is", () => {
  const files = projectLockedBy("other");
  const result = withLock(
    files,
    ROOT,
    machine("a", () => true),
    () => success(1),
  );
  expect(result.ok).toBe(false);
  expect(result.diagnostics).toMatchObject([{ code: "OWN-5" }]);
  expect(result.diagnostics[0]?.message).toContain("process 1 on here");
  expect(files.exists(LOCK)).toBe(true);
});

test("a dead holder's lock is taken over, and nothing of it is left", () => {
  const files = projectLockedBy("dead");
  const result = withLock(
    files,
    ROOT,
    machine("a", () => false),
    () => success(1),
  );
  expect(result).toMatchObject({ ok: true, value: 1 });
  expect(files.list(`${ROOT}/.rulebound`)).toEqual([".gitignore"]);
});

test("a holder from before the machine was restarted is dead, whatever has its number now", () => {
  const files = projectLockedBy("dead");
  const restarted = machine("a", () => true);
  const here = { ...restarted, run: { ...restarted.run, boot: "second" } };
  expect(withLock(files, ROOT, here, () => success(1))).toMatchObject({ ok: true });
});

test("a holder on another machine is alive for ten minutes", () => {
  const files = projectLockedBy("far");
  const near = machine("a", () => false);
  const here = { ...near, run: { ...near.run, host: "there" } };
  expect(withLock(files, ROOT, here, () => success(1))).toMatchObject({ ok: false });
  const later = { ...here, now: () => 700_000 };
  expect(withLock(files, ROOT, later, () => success(1))).toMatchObject({ ok: true });
});

test("a run that dies at any step of a takeover is succeeded by the next one", () => {
  let step = 1;
  for (; ; step += 1) {
    const files = projectLockedBy("dead");
    const failing = new FailingFiles(files, "torn", step);
    try {
      withLock(
        failing,
        ROOT,
        machine("first", () => false),
        () => success(1),
      );
    } catch (error) {
      expect(String(error)).toMatch(/at call|dead/);
    }
    if (!failing.hasFailed) break;
    const next = withLock(
      files,
      ROOT,
      machine("second", () => false),
      () => success(2),
    );
    expect(next, `killed at call ${step}`).toMatchObject({ ok: true, value: 2 });
  }
  expect(step).toBeGreaterThan(8);
});

test("a lock whose token is a path is never used as one", () => {
  const files = new MemoryFiles({ [LOCK]: "../../../escape\n1\n1\nhere\nfirst\n" });
  const result = withLock(
    files,
    ROOT,
    machine("a", () => false),
    () => success(1),
  );
  expect(result).toMatchObject({ ok: true });
  expect(Object.keys(files.snapshot()).filter((path) => path.includes("escape"))).toEqual([]);
});
