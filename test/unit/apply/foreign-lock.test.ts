import fc from "fast-check";
import { expect, test } from "vitest";
import { withLock, type Machine } from "../../../src/apply/process-lock.js";
import { success } from "../../../src/diagnostics/result.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { cases } from "../../support/thorough.js";
import { machine, ROOT } from "./project.js";

const FOLDER = `${ROOT}/.rulebound`;
const TEXT = "text\n";

/** The lock of a run on another machine. */
function heldBy(token: string): string {
  return `${token}\n1\n1\nelsewhere\nbootx\n`;
}

function project(locks: Readonly<Record<string, string>>): MemoryFiles {
  const inFolder = Object.entries(locks).map(
    ([name, text]) => [`${FOLDER}/${name}`, text] as const,
  );
  return new MemoryFiles({
    ...Object.fromEntries(inFolder),
    "/outside/file.txt": TEXT,
    [`${ROOT}/service.yaml`]: TEXT,
  });
}

/** Long after every lock was written. */
function later(): Machine {
  const here = machine("here", () => false);
  return { ...here, now: () => 700_000 + here.now() };
}

/** All but what the generator keeps for itself. */
function tree(files: MemoryFiles): Record<string, string> {
  const all = Object.entries(files.snapshot());
  return Object.fromEntries(all.filter(([path]) => !path.startsWith(`${FOLDER}/`)));
}

/** Runs under the lock; the code of what it reports, or "held". */
function outcome(files: MemoryFiles): string {
  const before = tree(files);
  const result = withLock(files, ROOT, later(), () => success("held"));
  expect(tree(files)).toEqual(before);
  return result.ok ? result.value : result.diagnostics.map(({ code }) => code).join();
}

/** Each lock names the next one, and the last one the name given. */
function chain(length: number, last: string): Record<string, string> {
  const tokens = Array.from({ length }, (_, at) => `t${at}`);
  const names = ["lock", ...tokens.map((token) => `lock.${token}`)];
  return Object.fromEntries(names.map((name, at) => [name, heldBy(tokens[at] ?? last)]));
}

const ENDLESS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a lock that names itself": { lock: heldBy("A"), "lock.A": heldBy("A") },
  "two that name each other": { lock: heldBy("A"), "lock.A": heldBy("B"), "lock.B": heldBy("A") },
  "a circle at the end of a chain": chain(50, "t20"),
  "a circle of many": chain(500, "t0"),
  "a chain that is very long": chain(5_000, "free"),
};

test.each(Object.entries(ENDLESS))("%s is reported, and the advice mends it", (_, locks) => {
  const files = project(locks);
  expect(outcome(files)).toBe("OWN-5");
  files.remove(`${FOLDER}/lock`);
  expect(outcome(files)).toBe("held");
  expect(files.exists(`${FOLDER}/lock`)).toBe(false);
});

test("a chain with an end is taken over, and nothing of it is left", () => {
  const files = project(chain(50, "free"));
  expect(outcome(files)).toBe("held");
  expect(files.list(FOLDER)).toEqual([".gitignore"]);
});

const TAKEN_OVER: Readonly<Record<string, string>> = {
  "no text": "",
  "one line": "A",
  "an empty token": heldBy(""),
  "a token that is a path": heldBy("../../escape"),
  "a token that is an absolute path": heldBy("/outside/new"),
  "a token that ends like a name of Windows": heldBy("A:stream"),
  "a token that no name can hold": heldBy("A".repeat(5_000)),
  "a token of other letters": heldBy("\u00e9"),
  "no host": "A\n1\n1\n\n\n",
  "no number": "A\n__proto__\n\nelsewhere\n\n",
  "many lines": `${heldBy("A")}${"line\n".repeat(10_000)}`,
};

test.each(Object.entries(TAKEN_OVER))("a lock with %s is taken over", (_, text) => {
  const files = project({ lock: text });
  expect(outcome(files)).toBe("held");
  expect(files.list(FOLDER)).toEqual([".gitignore"]);
});

test.each(["lock", "lock.A"])("a folder or a link at %s is taken over", (name) => {
  const folder = project({ lock: heldBy("A"), "lock.torn0": heldBy("B") });
  folder.remove(`${FOLDER}/${name}`);
  folder.makeDirectory(`${FOLDER}/${name}/deep`);
  folder.writeFile(`${FOLDER}/${name}/deep/file`, TEXT);
  const link = project({ lock: heldBy("A") });
  link.remove(`${FOLDER}/${name}`);
  link.link(`${FOLDER}/${name}`, "/outside/file.txt");
  for (const files of [folder, link]) {
    expect(outcome(files)).toBe("held");
    expect(files.exists(`${FOLDER}/lock`)).toBe(false);
  }
});

test("no texts of locks keep a run from its end, or reach what is outside", () => {
  const token = fc.constantFrom("A", "B", "C", "here", "torn0", "..", "../lock", "");
  const text = fc.oneof(token.map(heldBy), fc.string(), token);
  const names = ["lock", "lock.A", "lock.B", "lock.C", "lock.here", "lock.torn0"];
  const locks = fc.tuple(...names.map((name) => text.map((one) => [name, one] as const)));
  const law = fc.property(locks, (all) => {
    expect(outcome(project(Object.fromEntries(all)))).toMatch(/^(?:held|OWN-5)$/);
  });
  fc.assert(law, { numRuns: cases({ usual: 200, long: 20_000 }), seed: 20_261_128 });
});
