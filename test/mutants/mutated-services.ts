import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { compiledText } from "../support/compiled-text.js";
import { SERVICES, serviceFolder } from "../support/service-folders.js";
import { readTree } from "../support/read-tree.js";
import type { Texts } from "../support/render-files.js";
import type { Mutant } from "./mutant.js";

/** Of this process alone: test files run side by side. */
const ROOT = join(SERVICES, "mutants", String(process.pid));
afterAll(() => rmSync(ROOT, { recursive: true, force: true }));

/** Compiles the service of a fixture once, so that a mutant costs the compiling of one file; its folder. */
export function compileService(fixture: string): string {
  return compile(fixture, readTree(serviceFolder(fixture)));
}

/** Compiles the texts of a service; its folder. */
export function compile(name: string, texts: Texts): string {
  const folder = join(ROOT, name, "whole");
  rmSync(join(ROOT, name), { recursive: true, force: true });
  for (const [path, text] of Object.entries(texts)) {
    if (/^(?:src|openapi|migrations)\//.test(path)) write(folder, path, text);
  }
  write(folder, "package.json", '{ "type": "module" }');
  return folder;
}

/** A copy of a compiled service with a fault in it. Throws where the text of the mutant is not there any more. */
export function mutate(whole: string, mutant: Mutant, name: string): string {
  const { service = "contract", file, find, replace } = mutant;
  const source = readFileSync(join(serviceFolder(service), file), "utf8");
  if (!source.includes(find)) {
    throw new Error(`${file} does not hold this text any more: ${find}`);
  }
  const folder = join(dirname(whole), name);
  cpSync(whole, folder, { recursive: true });
  // A function, because `$` means something in a replacement.
  write(
    folder,
    file,
    source.replace(find, () => replace),
  );
  return folder;
}

function write(folder: string, path: string, text: string): void {
  const isCode = path.endsWith(".ts");
  const target = join(folder, isCode ? path.replace(/\.ts$/, ".js") : path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, isCode ? compiledText(text) : text);
}
