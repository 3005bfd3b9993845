// Uses a service for a long time while it is restarted: `npm run soak -- [--minutes 30] [--database postgres]`. Both databases
// at once unless one is named; each writes bench/soak/<database>.md. Exits with 1 when anything unexpected was seen.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { databasesOf } from "./support/attack-options.js";
import { attackTable } from "./support/attack-table.js";
import { buildShop, newBuildFolder } from "./support/attacked-shop.js";
import { soak } from "./support/soak.js";
import { soakFindings, soakPage } from "./support/soak-report.js";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, database: { type: "string" } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes is a number, not ${values.minutes}`);
const builds = newBuildFolder();
const service = buildShop("usual", builds);
const pages = fileURLToPath(new URL("../../bench/soak/", import.meta.url));
mkdirSync(pages, { recursive: true });
try {
  const databases = databasesOf(values.database);
  const results = await Promise.all(
    databases.map((database) => soak(database, { service, minutes })),
  );
  for (const result of results) {
    writeFileSync(`${pages}${result.database}.md`, soakPage(result, process.versions.node));
    for (const problem of result.load.unexpected.slice(0, 10)) process.stderr.write(`${problem}\n`);
  }
  const findings = results.flatMap(soakFindings);
  process.stdout.write(`${attackTable(findings)}\n`);
  process.exitCode = findings.some(({ isMet }) => isMet === false) ? 1 : 0;
} finally {
  rmSync(builds, { recursive: true, force: true });
}
