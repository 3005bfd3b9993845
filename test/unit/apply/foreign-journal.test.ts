import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isInterrupted, recover } from "../../../src/apply/apply.js";
import { textHash } from "../../../src/apply/text-hash.js";
import { sha256 } from "../../../src/files/hash.js";
import { MemoryFiles } from "../../../src/files/memory-files.js";
import { nodeFiles } from "../../../src/files/node-files.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { cases } from "../../support/thorough.js";
import { ROOT } from "./project.js";

const JOURNAL = `${ROOT}/.rulebound/journal`;
const STAGE = `${ROOT}/.rulebound/stage`;
const SECRET = "secret\n";
const TEXT = "text\n";

/** A write that is done, so that the run counts as interrupted halfway. */
const DONE = { path: "docs/done.md", staged: "0", before: null, after: textHash("done\n") };
/** One that is not: it would move a text of the stage. */
const NEXT = { path: "docs/notes.md", staged: "1", before: null, after: textHash(TEXT) };
const GONE = { path: "docs/done.md", before: textHash("done\n") };

/** Any text with its checksum on top, as a journal has it. */
function sealed(body: string): string {
  return `${sha256(body)}\n${body}\n`;
}

function journal(value: unknown): string {
  return sealed(JSON.stringify(value));
}

const withWrite = (write: unknown): string => journal({ writes: [DONE, write], removals: [] });
const withRemoval = (removal: unknown): string => journal({ writes: [DONE], removals: [removal] });

function project(text: string): MemoryFiles {
  return new MemoryFiles({
    "/outside/unknown.txt": SECRET,
    "/outside/1": TEXT,
    [`${ROOT}/docs/done.md`]: "done\n",
    [`${ROOT}/.git/config`]: "config\n",
    [`${STAGE}/1`]: TEXT,
    [JOURNAL]: text,
  });
}

/** All but what the generator keeps for itself. */
function tree(files: MemoryFiles): Record<string, string> {
  const all = Object.entries(files.snapshot());
  return Object.fromEntries(all.filter(([path]) => !path.startsWith(`${ROOT}/.rulebound/`)));
}

test("the journal that others are made from is carried out", () => {
  const files = project(withWrite(NEXT));
  expect(recover(files, ROOT)).toEqual([]);
  expect(files.readText(`${ROOT}/docs/notes.md`)).toBe(TEXT);
  expect(files.exists(STAGE)).toBe(false);
  const removing = project(withRemoval(GONE));
  expect(recover(removing, ROOT)).toEqual([]);
  expect(removing.exists(`${ROOT}/docs`)).toBe(false);
});

const OUTSIDE = "../../../outside/unknown.txt";
const SHAPES: readonly unknown[] = [
  ...[{}, [], null, 5, true, "text", [[]], { writes: [] }, { removals: [] }],
  ...[null, {}, 5, "x", { length: 1 }].map((writes) => ({ writes, removals: [] })),
  ...[null, {}, 5, "x"].map((removals) => ({ writes: [DONE], removals })),
];
const NO_OBJECTS: readonly unknown[] = [null, 5, "x", [], {}, true];
const NO_TEXTS: readonly unknown[] = [undefined, null, 5, true, [], {}, ["docs/notes.md"]];
const NO_HASHES = [
  undefined,
  5,
  "",
  "x",
  "0".repeat(63),
  "A".repeat(64),
  `${"0".repeat(64)}\n`,
  [],
];
const NO_STAGED = [
  ...[OUTSIDE, "/outside/unknown.txt", "../journal", "a/1", ".", "..", "", "1\0", "1\n", " 1"],
  ...["-1", "1e0", "0x1", "1.edited.edited", "1.EDITED", "9".repeat(300), "1/", "./1", "con"],
];
const NO_TARGETS = [
  ...["/outside/new.txt", "../outside/new.txt", "docs/../../outside/new.txt", "..", ".", ""],
  ...[".git/hooks/pre-commit", "docs/.GIT/hooks/x", "GIT~1/hooks/x", ".git./hooks/x", "docs/..."],
  ...[".rulebound/lock", ".Rulebound/stage/2", "node_modules/zod/index.js", "a/node_modules/b/c"],
  ...["docs//notes.md", "docs/", "C:\\notes.md", "docs\\notes.md", "docs/a\0b", "docs/a b"],
  ...["docs/é.md", `docs/${"n".repeat(256)}`, `${"d/".repeat(1_200)}n`],
];

const FOREIGN: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["not JSON", sealed("{")],
  ["nothing", sealed("")],
  ["no text", "\0\x01\xff"],
  ["a wrong checksum", withWrite(NEXT).replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
  ["a second text", `${withWrite(NEXT)}{}`],
  ["lists in lists", sealed("[".repeat(200_000))],
  [
    "a long list, wrong at its end",
    journal({ writes: [...Array.from({ length: 50_000 }, () => DONE), 5], removals: [] }),
  ],
  ...SHAPES.map((value) => [JSON.stringify(value), journal(value)] as const),
  ...NO_OBJECTS.map((one) => [`the write ${JSON.stringify(one)}`, withWrite(one)] as const),
  ...NO_OBJECTS.map((one) => [`the removal ${JSON.stringify(one)}`, withRemoval(one)] as const),
  ...NO_TEXTS.flatMap((one) => [
    [`the path ${JSON.stringify(one)}`, withWrite({ ...NEXT, path: one })] as const,
    [`the text ${JSON.stringify(one)}`, withWrite({ ...NEXT, staged: one })] as const,
    [`the removed path ${JSON.stringify(one)}`, withRemoval({ ...GONE, path: one })] as const,
  ]),
  ...NO_HASHES.flatMap((one) => [
    [`before ${JSON.stringify(one)}`, withWrite({ ...NEXT, before: one })] as const,
    [`after ${JSON.stringify(one)}`, withWrite({ ...NEXT, after: one })] as const,
    [`removed ${JSON.stringify(one)}`, withRemoval({ ...GONE, before: one })] as const,
  ]),
  ["a removal before null", withRemoval({ ...GONE, before: null })],
  ...NO_STAGED.map(
    (one) =>
      [
        `the text ${JSON.stringify(one).slice(0, 40)}`,
        withWrite({ ...NEXT, staged: one, after: textHash(SECRET) }),
      ] as const,
  ),
  ...NO_TARGETS.flatMap((path) => [
    [`to ${JSON.stringify(path).slice(0, 40)}`, withWrite({ ...NEXT, path })] as const,
    [`away ${JSON.stringify(path).slice(0, 40)}`, withRemoval({ ...GONE, path })] as const,
  ]),
  ["a removal outside", withRemoval({ path: OUTSIDE, before: textHash(SECRET) })],
  ["a removal in .git", withRemoval({ path: ".git/config", before: textHash("config\n") })],
];

test.each(FOREIGN)("the journal is removed, and nothing else is done: %s", (_, text) => {
  const files = project(text);
  const before = tree(files);
  expect(recover(files, ROOT)).toMatchObject([{ code: "OWN-15", severity: "warning" }]);
  expect(tree(files)).toEqual(before);
  expect(isInterrupted(files, ROOT)).toBe(false);
  expect(files.exists(STAGE)).toBe(false);
});

/** What stands where the parts of a right journal are looked for. */
const PLACES: Readonly<Record<string, (files: MemoryFiles) => void>> = {
  "a stage that is a link": (files) => {
    files.rename(STAGE, "/outside/stage");
    files.link(STAGE, "/outside");
  },
  "a text that is a link": (files) => {
    files.remove(`${STAGE}/1`);
    files.link(`${STAGE}/1`, "/outside/1");
  },
  "a text that is a folder": (files) => {
    files.remove(`${STAGE}/1`);
    files.makeDirectory(`${STAGE}/1/deep`);
    files.writeFile(`${STAGE}/1/deep/file`, TEXT);
  },
  "another text": (files) => files.writeFile(`${STAGE}/1`, SECRET),
  "no text": (files) => files.remove(`${STAGE}/1`),
  "a journal that is a link": (files) => {
    files.rename(JOURNAL, "/outside/journal");
    files.link(JOURNAL, "/outside/journal");
  },
  "a journal that is a folder": (files) => {
    files.remove(JOURNAL);
    files.makeDirectory(JOURNAL);
    files.writeFile(`${JOURNAL}/file`, TEXT);
  },
};

test.each(Object.entries(PLACES))("nothing is moved from %s", (_, change) => {
  const files = project(withWrite(NEXT));
  change(files);
  const before = tree(files);
  expect(recover(files, ROOT)).toMatchObject([{ code: "OWN-15" }]);
  expect(tree(files)).toEqual(before);
  expect(isInterrupted(files, ROOT)).toBe(false);
  expect(files.exists(STAGE)).toBe(false);
});

test("a text is not moved through a link, and not over a folder", () => {
  const linked = project(withWrite({ ...NEXT, path: "notes/new.md" }));
  linked.link(`${ROOT}/notes`, "/outside");
  const occupied = project(withWrite(NEXT));
  occupied.makeDirectory(`${ROOT}/docs/notes.md`);
  for (const files of [linked, occupied]) {
    const before = tree(files);
    expect(recover(files, ROOT)).toEqual([]);
    expect(tree(files)).toEqual(before);
  }
});

test.each(["journal", "stage/1", "stage"])("a pipe at %s is not read from", (name) => {
  const root = temporaryFolder();
  nodeFiles.makeDirectory(join(root, ".rulebound/stage"));
  nodeFiles.makeDirectory(join(root, "docs"));
  nodeFiles.writeFile(join(root, "docs/done.md"), "done\n");
  nodeFiles.writeFile(join(root, ".rulebound/journal"), withWrite(NEXT));
  const path = join(root, ".rulebound", name);
  if (name === "stage") nodeFiles.removeEmptyDirectory(path);
  nodeFiles.remove(path);
  execFileSync("mkfifo", [path]);
  expect(recover(nodeFiles, root)).toMatchObject([{ code: "OWN-15" }]);
  expect(nodeFiles.list(join(root, ".rulebound"))).toEqual([]);
  expect(nodeFiles.list(join(root, "docs"))).toEqual(["done.md"]);
});

test("no value in any place of a journal reaches what is outside, or ends the run", () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(...NO_STAGED, ...NO_TARGETS, NEXT.after, textHash(SECRET)),
  );
  const member = fc.constantFrom("path", "staged", "before", "after");
  const write = fc.tuple(member, part).map(([name, value]) => ({ ...NEXT, [name]: value }));
  const list = fc.oneof(fc.array(fc.oneof(write, part), { maxLength: 4 }), part);
  const law = fc.property(list, list, (writes, removals) => {
    const files = project(journal({ writes, removals }));
    const outside = (): unknown => {
      const all = Object.entries(tree(files));
      return all.filter(([path]) => /^\/outside\/|\/\.git\//.test(path));
    };
    const before = outside();
    recover(files, ROOT);
    expect(outside()).toEqual(before);
    expect(isInterrupted(files, ROOT)).toBe(false);
  });
  fc.assert(law, { numRuns: cases({ usual: 500, long: 20_000 }), seed: 20_261_128 });
});
