// `npm run accept`: what is made now is what is expected from now on; the difference is shown.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format } from "../../src/diagnostics/format.js";
import { contractPage } from "../../src/rules/rule-page.js";
import {
  EDIT_CASES,
  editFolder,
  editTexts,
  expectedFolder,
  GOLDEN_CASES,
  goldenTexts,
  keptTexts,
} from "../golden/golden-cases.js";
import { DOORS, doorFile, doorText } from "../support/door-declarations.js";
import { diagnosticsOf, INVALID_PROJECTS } from "../support/invalid-projects.js";
import { writeTree } from "../support/read-tree.js";
import { changesPage } from "../unit/contract/changes-page.js";

for (const name of GOLDEN_CASES) writeTree(expectedFolder(name), await goldenTexts(name));
for (const name of EDIT_CASES) {
  for (const path of Object.keys(keptTexts(name))) rmSync(join(editFolder(name), path));
  for (const [path, text] of Object.entries(await editTexts(name))) {
    mkdirSync(dirname(join(editFolder(name), path)), { recursive: true });
    writeFileSync(join(editFolder(name), path), text);
  }
}
for (const code of INVALID_PROJECTS) {
  writeFileSync(`fixtures/invalid/${code}/stderr.txt`, format(await diagnosticsOf(code)));
}
for (const door of DOORS) writeFileSync(doorFile(door), doorText(door));
writeFileSync("docs/contract.md", contractPage());
writeFileSync("docs/changes.md", await changesPage());

const texts = ["--", "fixtures", "docs/contract.md", "docs/changes.md"];
execFileSync("git", ["--no-pager", "diff", ...texts], { stdio: "inherit" });
execFileSync("git", ["status", "--short", ...texts], { stdio: "inherit" });
