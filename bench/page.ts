// Writes the tables and plots of docs/performance.md from bench/results: `npm run bench:page`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BENCHES, pagePlots, pageText } from "./support/performance-page.js";
import { readResults } from "./support/report.js";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const results = readResults(BENCHES);
const page = `${docs}performance.md`;
writeFileSync(page, pageText(readFileSync(page, "utf8"), results));
for (const [name, svg] of Object.entries(pagePlots(results))) {
  writeFileSync(`${docs}pictures/${name}`, svg);
}
