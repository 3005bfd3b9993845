import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../support/read-tree.js";
import { KERNEL, renderValid } from "../support/render-files.js";
import {
  EDIT_CASES,
  editTexts,
  expectedFolder,
  GOLDEN_CASES,
  goldenTexts,
  keptTexts,
} from "./golden-cases.js";

test.each(GOLDEN_CASES)("%s is emitted as expected, file by file", async (name) => {
  // `npm run accept` rewrites the expected tree and shows what has changed in it.
  expect(await goldenTexts(name)).toEqual(readTree(expectedFolder(name)));
});

test.each(EDIT_CASES)("what comes of the edit %s is as expected", async (name) => {
  expect(await editTexts(name)).toEqual(keptTexts(name));
});

test("what a service has of the kernel is templates/kernel, byte for byte", async () => {
  const { outputs } = await renderValid({
    "service.yaml": "service: desk\n",
    "resources/v1/notes.yaml": "resource: notes\nentity: note\nproperties: { text: string }\n",
  });
  const kernel = outputs.filter(({ path }) => path.startsWith(KERNEL));
  const emitted = kernel.map(({ path, text }) => [path.slice(KERNEL.length), text ?? ""]);
  const source = readTree(resolve("templates/kernel"));
  expect(emitted.length).toBeGreaterThan(100);
  expect(emitted).toEqual(emitted.map(([path = ""]) => [path, source[path]]));
});
