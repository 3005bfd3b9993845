import { expect, test } from "vitest";
import { SERVICE_SOURCES } from "../support/runtime.js";
import { filesBelow, textOf } from "./source-tree.js";

/** Where people read our words: messages and comments, descriptions, documents, and what a service is given. */
const FOLDERS = [
  ...["apply", "cli", "commands", "diagnostics", "files", "load", "naming", "render", "rules"],
  ...["samples", "validate", "verify", "kinds", "model", "storage", "artifacts"],
].map((folder) => `src/${folder}`);
const TEXTS = ["schemas", "docs", ...SERVICE_SOURCES];
const DOCUMENTS = ["README.md", "SECURITY.md"];

/** Records of what was decided and measured: they stay as they were written. */
const RECORDS = /^docs\/(?:adr|soak)\/|^docs\/(?:changelog|reliability)\.md$/;

/** What an English-speaking reader stumbles over, and what to write instead. */
const STUMBLES = [
  { pattern: /\bcan not\b/i, instead: "cannot" },
  { pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)[a-z]/i, instead: "is not a" },
  { pattern: /\bnames no\b/i, instead: "does not name a" },
  { pattern: /\bleads? to nothing\b/i, instead: "points to something that does not exist" },
  { pattern: /\b(?:is|are) none of\b/i, instead: "is not one of" },
];

function stumbles(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    STUMBLES.flatMap(({ pattern, instead }) => {
      const [found] = pattern.exec(line) ?? [];
      return found === undefined ? [] : [`${path}:${index + 1} "${found}": write "${instead}"`];
    }),
  );
}

test("what people read is plain English", () => {
  const paths = [...[...FOLDERS, ...TEXTS].flatMap(filesBelow), ...DOCUMENTS];
  const read = paths.filter((path) => !RECORDS.test(path));
  expect(read.length).toBeGreaterThan(300);
  expect(read.flatMap((path) => stumbles(path, textOf(path)))).toEqual([]);
});

test("stumbles are noticed", () => {
  const text =
    "It can not be read.\nThe value is no UUID.\nThere is no file.\nIt is no longer there.";
  expect(stumbles("a.ts", text)).toEqual([
    'a.ts:1 "can not": write "cannot"',
    'a.ts:2 "is no U": write "is not a"',
  ]);
});

test("every rule that emitted code names is explained in docs/contract.md of the package", () => {
  const page = textOf("docs/contract.md");
  const named = SERVICE_SOURCES.flatMap(filesBelow).flatMap((path) => {
    const ids = textOf(path).match(/\b(?!UTF|SHA)[A-Z]{3}-[1-9]\d*\b/g) ?? [];
    return ids.filter((id) => !page.includes(`### ${id}: `)).map((id) => `${path}: ${id}`);
  });
  expect(named).toEqual([]);
});
