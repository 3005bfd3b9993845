// `npm run accept`: what is made now is what is expected from now on; the difference is shown.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { format } from "../../src/diagnostics/format.js";
import { contractPage } from "../../src/rules/rule-page.js";
import {
  EDIT_CASES,
  editFile,
  editText,
  expectedFolder,
  GOLDEN_CASES,
  goldenTexts,
} from "../golden/golden-cases.js";
import { DOORS, doorFile, doorText } from "../support/door-declarations.js";
import { diagnosticsOf, INVALID_PROJECTS } from "../support/invalid-projects.js";
import { writeTree } from "../support/read-tree.js";
import { changesPage } from "../unit/contract/changes-page.js";

for (const name of GOLDEN_CASES) writeTree(expectedFolder(name), await goldenTexts(name));
for (const name of EDIT_CASES) writeFileSync(editFile(name), await editText(name));
for (const code of INVALID_PROJECTS) {
  writeFileSync(`fixtures/invalid/${code}/stderr.txt`, format(await diagnosticsOf(code)));
}
for (const door of DOORS) writeFileSync(doorFile(door), doorText(door));
writeFileSync("docs/contract.md", contractPage());
writeFileSync("docs/changes.md", await changesPage());

const texts = ["--", "fixtures", "docs/contract.md", "docs/changes.md"];
execFileSync("git", ["--no-pager", "diff", ...texts], { stdio: "inherit" });
execFileSync("git", ["status", "--short", ...texts], { stdio: "inherit" });
