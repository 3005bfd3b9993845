import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Texts } from "./render-files.js";

/** The texts of a folder by path, sorted; none when there is no such folder. */
export function readTree(folder: string): Texts {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

/** Makes a folder hold these texts and nothing else. */
export function writeTree(folder: string, texts: Texts): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(texts)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
