// `npm run accept`: what is made now is what is expected from now on; the difference is shown.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
import {
  PAGE_CODES,
  pageFile,
  parsePage,
  printedFor,
  withOutput,
} from "../support/diagnostic-pages.js";
import { MISTAKE_FILES, mistakeText } from "../support/mistake-cases.js";
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
for (const code of PAGE_CODES) {
  const page = readFileSync(pageFile(code), "utf8");
  const { wrong, output } = parsePage(page);
  if (wrong === null || output === null) continue;
  writeFileSync(pageFile(code), withOutput(page, await printedFor(wrong)));
}
for (const path of MISTAKE_FILES) writeFileSync(path, await mistakeText(path));
for (const door of DOORS) writeFileSync(doorFile(door), doorText(door));
writeFileSync("docs/contract.md", contractPage());
writeFileSync("docs/changes.md", await changesPage());

const texts = ["--", "fixtures", "docs/diagnostics", "docs/contract.md", "docs/changes.md"];
execFileSync("git", ["--no-pager", "diff", ...texts], { stdio: "inherit" });
execFileSync("git", ["status", "--short", ...texts], { stdio: "inherit" });
