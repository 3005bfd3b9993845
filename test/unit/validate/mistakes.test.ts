import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MISTAKE_FILES, mistakeText } from "../../support/mistake-cases.js";

test.each(MISTAKE_FILES)("every mistake of %s is printed", async (path) => {
  // `npm run accept` writes it.
  expect(await mistakeText(path)).toBe(readFileSync(path, "utf8"));
});
