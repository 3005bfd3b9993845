import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTree } from "../support/read-tree.js";
import {
  EDIT_CASES,
  editFile,
  editText,
  expectedFolder,
  GOLDEN_CASES,
  keptTexts,
} from "./golden-cases.js";

test.each(GOLDEN_CASES)("%s is emitted as expected, file by file", async (name) => {
  // `npm run accept` rewrites the expected tree and shows what has changed in it.
  expect(await keptTexts(name)).toEqual(readTree(expectedFolder(name)));
});

test.each(EDIT_CASES)("what comes of the edit %s is as expected", async (name) => {
  expect(await editText(name)).toBe(readFileSync(editFile(name), "utf8"));
});
