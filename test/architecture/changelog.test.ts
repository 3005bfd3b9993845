import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { filesBelow, textOf } from "./source-tree.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const SCRIPT = resolve("bin/changelog.js");
const FIXED = "- Fixed: A list is closed.\n  See [lists](../decisions/a.md#lists).\n";
const ADDED = "- Added: `npm run land`.\n";
const CHANGELOG = "# Changelog\n\nAbout it.\n\n## 0.1.0\n- The first.\n";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/changelog.md"), CHANGELOG);
});

test("an entry of the changelog is one item, which begins with its kind", () => {
  const paths = filesBelow("docs").filter((path) => path.startsWith("docs/changelog/"));
  expect(paths.filter((path) => !isEntry(path, textOf(path)))).toEqual([]);
});

test.each([
  { path: "docs/changelog/a.md", text: FIXED, right: true },
  { path: "docs/changelog/a.md", text: ADDED, right: true },
  { path: "docs/changelog/a/b.md", text: ADDED, right: false },
  { path: "docs/changelog/A.txt", text: ADDED, right: false },
  { path: "docs/changelog/a.md", text: "- Removed: All.\n", right: false },
  { path: "docs/changelog/a.md", text: "Added: One.\n", right: false },
  { path: "docs/changelog/a.md", text: "- Added: One", right: false },
  { path: "docs/changelog/a.md", text: `${ADDED}${FIXED}`, right: false },
  { path: "docs/changelog/a.md", text: `${ADDED}\n`, right: false },
])("an entry $path with $text is right: $right", ({ path, text, right }) => {
  expect(isEntry(path, text)).toBe(right);
});

test("a release has the entries under its version, sorted, and removes their files", () => {
  writeEntries();
  run("0.2.0");
  const section = `## 0.2.0\n${ADDED}${FIXED.replace("../decisions", "decisions")}\n`;
  expect(read()).toBe(CHANGELOG.replace("## 0.1.0", `${section}## 0.1.0`));
  expect(readdirSync(join(folder, "docs/changelog"))).toEqual([]);
});

test.each([
  { name: "a version that is there", version: "0.1.0", entries: true },
  { name: "what is not a version", version: "next", entries: true },
  { name: "a release without entries", version: "0.2.0", entries: false },
])("$name is refused, and nothing is written", ({ version, entries }) => {
  if (entries) writeEntries();
  expect(() => run(version)).toThrow();
  expect(read()).toBe(CHANGELOG);
  expect(readdirSync(join(folder, "docs"), { recursive: true })).toHaveLength(entries ? 4 : 1);
});

/** One list item with lines that belong to it, so that texts can be joined as they are. */
function isEntry(path: string, text: string): boolean {
  return (
    /^docs\/changelog\/[a-z0-9-]+\.md$/.test(path) &&
    /^- (?:Added|Changed|Fixed): \S.*\n(?: {2}\S.*\n)*$/.test(text)
  );
}

function writeEntries(): void {
  mkdirSync(join(folder, "docs/changelog"));
  writeFileSync(join(folder, "docs/changelog/a.md"), FIXED);
  writeFileSync(join(folder, "docs/changelog/b.md"), ADDED);
}

function run(version: string): void {
  execFileSync(process.execPath, [SCRIPT, version], { cwd: folder, stdio: "pipe" });
}

function read(): string {
  return readFileSync(join(folder, "docs/changelog.md"), "utf8");
}
