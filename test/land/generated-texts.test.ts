import { expect, test } from "vitest";
import { hasOwnLines, isAccepted } from "./generated-texts.js";

test.each([
  ["docs/contract.md", false],
  ["docs/changes.md", false],
  ["docs/schemas.md", false],
  ["fixtures/golden/actions/expected/src/app.ts", true],
  ["fixtures/golden/actions/service.yaml", false],
  ["fixtures/edits/new-filter.txtar", true],
  ["fixtures/changes/property.txtar", false],
  ["docs/diagnostics/SCH-1.md", false],
  ["package-lock.json", false],
])("%s is made by npm run accept: %s", (path, expected) => {
  expect(isAccepted(path)).toBe(expected);
});

const HEAD = "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,2 -1,2 +1,3 @@@\n";
test.each([
  { name: "a line of each side", diff: `${HEAD}  a\n+ b\n +c\n`, own: false },
  { name: "the head of a second file", diff: `${HEAD}+ a\n${HEAD}+ b\n`, own: false },
  { name: "an added line", diff: `${HEAD}  a\n++b\n`, own: true },
  { name: "a removed line that looks like a head", diff: `${HEAD}--- a\n`, own: true },
  { name: "no difference", diff: "", own: false },
])("$name is made by neither side: $own", ({ diff, own }) => {
  expect(hasOwnLines(diff)).toBe(own);
});
