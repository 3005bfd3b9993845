import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { writeTree } from "../support/read-tree.js";
import {
  EDIT_CASES,
  expectedFolder,
  GOLDEN_CASES,
  goldenTexts,
  touchedFile,
  touchedText,
} from "./golden-cases.js";

// `npm run golden:accept`: what is emitted now is what is expected from now on; the difference is shown.
for (const name of GOLDEN_CASES) writeTree(expectedFolder(name), await goldenTexts(name));
for (const name of EDIT_CASES) writeFileSync(touchedFile(name), await touchedText(name));
execFileSync("git", ["--no-pager", "diff", "--", "fixtures/golden", "fixtures/edits"], {
  stdio: "inherit",
});
execFileSync("git", ["status", "--short", "--", "fixtures/golden", "fixtures/edits"], {
  stdio: "inherit",
});
