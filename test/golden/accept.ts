import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeTree } from "../support/read-tree.js";
import {
  EDIT_CASES,
  editFolder,
  editTexts,
  expectedFolder,
  GOLDEN_CASES,
  goldenTexts,
  keptTexts,
} from "./golden-cases.js";

// `npm run golden:accept`: what is emitted now is what is expected from now on; the difference is shown.
for (const name of GOLDEN_CASES) writeTree(expectedFolder(name), await goldenTexts(name));
for (const name of EDIT_CASES) {
  for (const path of Object.keys(keptTexts(name))) rmSync(join(editFolder(name), path));
  for (const [path, text] of Object.entries(await editTexts(name))) {
    mkdirSync(dirname(join(editFolder(name), path)), { recursive: true });
    writeFileSync(join(editFolder(name), path), text);
  }
}
execFileSync("git", ["--no-pager", "diff", "--", "fixtures/golden", "fixtures/edits"], {
  stdio: "inherit",
});
execFileSync("git", ["status", "--short", "--", "fixtures/golden", "fixtures/edits"], {
  stdio: "inherit",
});
