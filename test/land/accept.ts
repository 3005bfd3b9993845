// `npm run accept`: what is made now is what is expected from now on; the difference is shown.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import {
  EDIT_CASES,
  editFile,
  editText,
  expectedFolder,
  GOLDEN_CASES,
  keptTexts,
} from "../golden/golden-cases.js";
import { REQUEST_PAGE, withPicture } from "../architecture/request-page.js";
import { DOORS, doorFile, doorText } from "../support/door-declarations.js";
import {
  PAGE_CODES,
  pageFile,
  parsePage,
  printedFor,
  withOutput,
} from "../support/diagnostic-pages.js";
import { MISTAKE_FILES, mistakeText } from "../support/mistake-cases.js";
import { withOverview } from "../rules/contract-page.js";
import { writeTree } from "../support/read-tree.js";
import { withExamples } from "../unit/contract/changes-page.js";

for (const name of GOLDEN_CASES) writeTree(expectedFolder(name), await keptTexts(name));
for (const name of EDIT_CASES) writeFileSync(editFile(name), await editText(name));
for (const code of PAGE_CODES) {
  const page = readFileSync(pageFile(code), "utf8");
  const { wrong, output } = parsePage(page);
  if (wrong === null || output === null) continue;
  writeFileSync(pageFile(code), withOutput(page, await printedFor(wrong)));
}
for (const path of MISTAKE_FILES) writeFileSync(path, await mistakeText(path));
for (const door of DOORS) writeFileSync(doorFile(door), doorText(door));
writeFileSync("docs/contract.md", withOverview(readFileSync("docs/contract.md", "utf8")));
writeFileSync("docs/changes.md", await withExamples(readFileSync("docs/changes.md", "utf8")));
writeFileSync(REQUEST_PAGE, withPicture(readFileSync(REQUEST_PAGE, "utf8")));

const texts = [
  "--",
  "fixtures",
  REQUEST_PAGE,
  "docs/diagnostics",
  "docs/contract.md",
  "docs/changes.md",
];
execFileSync("git", ["--no-pager", "diff", ...texts], { stdio: "inherit" });
execFileSync("git", ["status", "--short", ...texts], { stdio: "inherit" });
