import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../support/read-tree.js";
import { renderValid } from "../support/render-files.js";
import { RUNTIME_COPY, RUNTIME_SOURCE } from "../support/runtime.js";
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

test("what a service has of the runtime is its source, byte for byte", async () => {
  const { outputs } = await renderValid({
    "service.yaml": "service: desk\n",
    "resources/v1/notes.yaml": "resource: notes\nentity: note\nproperties: { text: string }\n",
  });
  const copied = outputs.filter(({ path }) => path.startsWith(RUNTIME_COPY));
  const emitted = copied.map(({ path, text }) => [path.slice(RUNTIME_COPY.length), text ?? ""]);
  const source = readTree(resolve(RUNTIME_SOURCE));
  expect(emitted.length).toBeGreaterThan(100);
  expect(emitted).toEqual(emitted.map(([path = ""]) => [path, source[path]]));
});
