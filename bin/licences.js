import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** The licences of the packages that a bundle holds modules of; a package without a file for it names its licence and author. */
export function licencesOf(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== null));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, author } = readPackage(folder);
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
    if (texts.length === 0) {
      if (license === undefined) throw new Error(`${name} is bundled and has no licence`);
      texts.push(`Copyright ${author?.name ?? author ?? `the authors of ${name}`}`);
    }
    return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
  });
  return texts.join(`\n${"-".repeat(78)}\n\n`);
}

/** The folder of the package that a module belongs to; null for our own. */
function packageFolder(module) {
  if (!module.includes("node_modules")) return null;
  let folder = dirname(module.replaceAll("\0", "").split("?")[0]);
  while (!hasName(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Some packages have a package.json in a folder of theirs that says only how its modules are written. */
function hasName(path) {
  return existsSync(path) && typeof readPackage(dirname(path)).name === "string";
}
