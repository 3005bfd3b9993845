import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "../../src/diagnostics/format.js";
import { emittedTexts, renderFiles, renderValid, type Texts } from "../support/render-files.js";
import { readTree } from "../support/read-tree.js";

const GOLDEN = resolve("fixtures/golden");
const EDITS = resolve("fixtures/edits");

/** The cases whose whole expected tree is kept. */
export const GOLDEN_CASES: readonly string[] = readdirSync(GOLDEN).sort();

/** The cases that pin what comes of an edit of a schema. */
export const EDIT_CASES: readonly string[] = readdirSync(EDITS).sort();

/** Where the expected tree of a case is kept. */
export function expectedFolder(name: string): string {
  return join(GOLDEN, name, "expected");
}

/** What is emitted for a case now. */
export async function goldenTexts(name: string): Promise<Texts> {
  return emittedTexts(await renderValid(schemasOf(join(GOLDEN, name))));
}

/** Where it is kept what comes of an edit. */
export function editFolder(name: string): string {
  return join(EDITS, name);
}

/**
 * What comes of an edit, by path: `touched.txt`, a line for each file that it touches, and the migration that it leads to;
 * or `refused.txt`, what is told instead.
 */
export async function editTexts(name: string): Promise<Texts> {
  const project = await renderValid(schemasOf(join(EDITS, name, "before")));
  const before = emittedTexts(project);
  const schemas = schemasOf(join(EDITS, name, "after"));
  const edited = await renderFiles({ ...schemas, ...migrationsOf(before) });
  if (!edited.ok) return { "refused.txt": format(edited.diagnostics) };
  const after = emittedTexts(edited.value);
  // A user's file is made once, and never touched or removed.
  const users = project.outputs.filter(({ owner }) => owner === "user").map(({ path }) => path);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const touched = paths.filter((path) => before[path] !== after[path] && !users.includes(path));
  const lines = touched.map((path) => `${verb(before[path], after[path])} ${path}\n`);
  const scripts = touched.filter((path) => /^migrations\/.*\.sql$/.test(path));
  const migration = scripts.map((path) => [path.replace(/^.*\//, "migration/"), after[path] ?? ""]);
  const { migration: made } = edited.value;
  return {
    "touched.txt": lines.join(""),
    ...(made !== null && { "migration/steps.txt": made.steps.map((step) => `${step}\n`).join("") }),
    ...(Object.fromEntries(migration) as Texts),
  };
}

/** What is kept of an edit: all but the schemas before and after it. */
export function keptTexts(name: string): Texts {
  const kept = Object.entries(readTree(editFolder(name))).filter(
    ([path]) => !/^(?:before|after)\//.test(path),
  );
  return Object.fromEntries(kept);
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
