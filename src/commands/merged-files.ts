import { join } from "node:path";
import type { Manifest } from "../apply/manifest.js";
import { textHash } from "../apply/text-hash.js";
import type { Environment, Merges } from "./environment.js";

/** What git writes between the lines of two branches that it could not merge. */
const MARKER = /^(?:<{7} .*|\|{7} .*|={7}|>{7} .*)$/;

/**
 * Says of a generated file whether it consists of the generated texts of two branches, line by line: git has merged it, and
 * no line of it is anybody's. A text that was edited in one of the branches is not on record, so that its lines count as somebody's.
 */
export function mergedFiles(
  { files, root }: Environment,
  manifest: Manifest,
  merges: Merges,
): (path: string) => boolean {
  return (path) => {
    const recorded = manifest.generated.get(path) ?? [];
    const sides = merges.textsOf(root, path).filter((text) => recorded.includes(textHash(text)));
    if (sides.length < 2) return false;
    const lines = new Set(sides.flatMap(linesOf));
    return linesOf(files.readText(join(root, path))).every(
      (line) => lines.has(line) || MARKER.test(line),
    );
  };
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}
