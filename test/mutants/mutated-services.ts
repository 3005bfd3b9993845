import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goesAfterwards } from "../support/temporary-folder.js";
import { SERVICES, serviceFolder } from "../support/service-folders.js";
import { writeTree } from "../support/read-tree.js";
import type { Texts } from "../support/render-files.js";
import { bundleService, type Bundling } from "../support/transpile.js";
import { fileOf, type Mutant } from "./mutant.js";

/** Of this process alone: test files run side by side. */
const ROOT = join(SERVICES, "mutants", String(process.pid));

function folderOf(name: string): string {
  return join(goesAfterwards(ROOT), name);
}

/** Writes the texts of a service and compiles them; its folder. */
export async function compile(
  name: string,
  texts: Texts,
  replaced?: Bundling["replaced"],
): Promise<string> {
  const folder = folderOf(name);
  writeTree(folder, texts);
  await bundleService(folder, { ...(replaced && { replaced }) });
  return folder;
}

/** Compiles a service of test/.services with a fault in it; its folder. Throws where the text of the mutant is not there any more. */
export async function mutate(mutant: Mutant, name: string): Promise<string> {
  const { service = "contract", file, find, replace } = mutant;
  const whole = serviceFolder(service);
  const source = readFileSync(fileOf(mutant), "utf8");
  if (!source.includes(find)) {
    throw new Error(`${file} does not hold this text any more: ${find}`);
  }
  const folder = folderOf(name);
  for (const data of ["migrations", "openapi"]) {
    const path = join(whole, data);
    if (existsSync(path)) cpSync(path, join(folder, data), { recursive: true });
  }
  // A function, because `$` means something in a replacement.
  const text = source.replace(find, () => replace);
  const isCode = file.endsWith(".ts");
  if (!isCode) writeFileSync(join(folder, file), text);
  await bundleService(whole, { folder, ...(isCode && { replaced: { path: file, text } }) });
  return folder;
}
