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

/** What is emitted for a case now, without the kernel. */
export async function goldenTexts(name: string): Promise<Texts> {
  return emittedTexts(await renderValid(schemasOf(join(GOLDEN, name))));
}

/** Where the list of touched files of an edit is kept. */
export function touchedFile(name: string): string {
  return join(EDITS, name, "touched.txt");
}

/** `created src/custom/notes.ts` for each file that an edit touches, a line each, sorted by path. */
export async function touchedText(name: string): Promise<string> {
  const project = await renderValid(schemasOf(join(EDITS, name, "before")));
  const before = emittedTexts(project);
  const after = emittedTexts(
    await renderValid({ ...schemasOf(join(EDITS, name, "after")), ...migrationsOf(before) }),
  );
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

/** The migrations that stand in a project when its schemas are edited. */
function migrationsOf(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).filter(([path]) => path.startsWith("migrations/")),
  );
}

/** service.yaml and resources/ of a project. */
function schemasOf(folder: string): Texts {
  const all = Object.entries(readTree(folder));
  return Object.fromEntries(
    all.filter(([path]) => path === "service.yaml" || path.startsWith("resources/")),
  );
}
