// Makes a release of the entries in docs/changelog: `npm run changelog -- 0.2.0`.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CHANGELOG = "docs/changelog.md";
const ENTRIES = "docs/changelog";

const [version = ""] = process.argv.slice(2);
const changelog = readFileSync(CHANGELOG, "utf8");
const paths = existsSync(ENTRIES) ? readdirSync(ENTRIES).map((name) => join(ENTRIES, name)) : [];

const problem = problemOf(version);
if (problem === null) {
  writeFileSync(CHANGELOG, released());
  for (const path of paths) rmSync(path);
  console.log(`${CHANGELOG} has ${paths.length} entries under ${version}.`);
} else {
  console.error(problem);
  process.exitCode = 1;
}

function problemOf(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return "Usage: npm run changelog -- <version>, such as 0.2.0";
  if (`${changelog}\n`.includes(`\n## ${version}\n`)) return `${CHANGELOG} has ${version} already.`;
  return paths.length === 0 ? `There are no entries in ${ENTRIES}.` : null;
}

/** The changelog with a section of the entries before the other versions. */
function released() {
  // Sorted texts are sorted by kind; a link is one folder nearer in the changelog.
  const entries = paths.map((path) => readFileSync(path, "utf8")).sort();
  const texts = entries.map((text) => text.replaceAll("](../", "]("));
  const [head, ...versions] = changelog.split(/^(?=## )/m);
  return [head, `## ${version}\n${texts.join("")}\n`, ...versions].join("");
}
