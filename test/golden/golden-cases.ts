import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { emittedTexts, renderValid, type Texts } from "../support/render-files.js";
import { readTree } from "../support/read-tree.js";

const GOLDEN = resolve("fixtures/golden");
const EDITS = resolve("fixtures/edits");

/** The cases whose whole expected tree is kept. */
export const GOLDEN_CASES: readonly string[] = readdirSync(GOLDEN).sort();

/** The cases that pin which files an edit of a schema touches. */
export const EDIT_CASES: readonly string[] = readdirSync(EDITS).sort();

/** Where the expected tree of a case is kept. */
export function expectedFolder(name: string): string {
  return join(GOLDEN, name, "expected");
}

/** The same text in every service: kept in the tree of one case. */
const SAME_EVERYWHERE = "docs/contract.md";
const KEEPS_IT = "minimal";

/** What is emitted for a case now, without the kernel, and without what other cases keep. */
export async function goldenTexts(name: string): Promise<Texts> {
  const texts = emittedTexts(await renderValid(schemasOf(join(GOLDEN, name))));
  const kept = Object.entries(texts).filter(
    ([path]) => name === KEEPS_IT || path !== SAME_EVERYWHERE,
  );
  return Object.fromEntries(kept);
}

/** Where the list of touched files of an edit is kept. */
export function touchedFile(name: string): string {
  return join(EDITS, name, "touched.txt");
}

/** `created src/custom/notes.ts` for each file that an edit touches, a line each, sorted by path. */
export async function touchedText(name: string): Promise<string> {
  const project = await renderValid(schemasOf(join(EDITS, name, "before")));
  const before = emittedTexts(project);
  const after = emittedTexts(await renderValid(schemasOf(join(EDITS, name, "after"))));
  // A user's file is made once, and never touched or removed.
  const users = project.outputs.filter(({ owner }) => owner === "user").map(({ path }) => path);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const touched = paths.filter((path) => before[path] !== after[path] && !users.includes(path));
  return touched.map((path) => `${verb(before[path], after[path])} ${path}\n`).join("");
}

function verb(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return "created";
  return after === undefined ? "removed" : "updated";
}

/** service.yaml and resources/ of a project. */
function schemasOf(folder: string): Texts {
  const all = Object.entries(readTree(folder));
  return Object.fromEntries(
    all.filter(([path]) => path === "service.yaml" || path.startsWith("resources/")),
  );
}
