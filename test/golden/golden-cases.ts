import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "../../src/diagnostics/format.js";
import { writtenPart } from "../land/generated-texts.js";
import { emittedTexts, renderFiles, renderValid, type Texts } from "../support/render-files.js";
import { readTree } from "../support/read-tree.js";
import { parseTxtar, printTxtar } from "../support/txtar.js";

const GOLDEN = resolve("fixtures/golden");
const EDITS = "fixtures/edits";

/** The cases whose expected tree is kept. */
export const GOLDEN_CASES: readonly string[] = readdirSync(GOLDEN).sort();

/** The cases that pin what comes of an edit of a schema. */
export const EDIT_CASES: readonly string[] = readdirSync(EDITS)
  .map((name) => name.replace(".txtar", ""))
  .sort();

/** Where the expected tree of a case is kept. */
export function expectedFolder(name: string): string {
  return join(GOLDEN, name, "expected");
}

/** What is emitted for a case now. */
export async function goldenTexts(name: string): Promise<Texts> {
  return emittedTexts(await renderValid(schemasOf(readTree(join(GOLDEN, name)))));
}

/** Cases whose OpenAPI documents show nothing that those of the others do not. */
const WITHOUT_DOCUMENT = ["few-operations", "levels", "minimal"];

/** Those that are kept of what is emitted for a case. */
export async function keptTexts(name: string): Promise<Texts> {
  const texts = Object.entries(await goldenTexts(name));
  const isLeft = (path: string): boolean =>
    WITHOUT_DOCUMENT.includes(name) && path.startsWith("openapi/");
  return Object.fromEntries(texts.filter(([path]) => !isLeft(path)));
}

/** The path of the case of an edit: its schemas before and after, and the results of the edit. */
export function editFile(name: string): string {
  return `${EDITS}/${name}.txtar`;
}

/** The sections of the case of an edit. */
export function editSections(name: string): Texts {
  return parseTxtar(readFileSync(editFile(name), "utf8")).files;
}

/** The text of the case of an edit, with the present results. */
export async function editText(name: string): Promise<string> {
  const written = writtenPart(editFile(name), readFileSync(editFile(name), "utf8"));
  return written + printTxtar({ comment: "", files: await editResults(name) });
}

/** The schemas before or after an edit. A file that is the same on both sides is kept once. */
export function editSchemas(name: string, side: "before" | "after"): Texts {
  const ofSide = Object.entries(editSections(name)).map(([path, text]) => [
    path.replace(`${side}/`, ""),
    text,
  ]);
  return schemasOf(Object.fromEntries(ofSide) as Texts);
}

/**
 * What comes of an edit, by path: `touched.txt`, a line for each file that it touches, and the migration that it leads to;
 * or `refused.txt`, what is told instead.
 */
async function editResults(name: string): Promise<Texts> {
  const project = await renderValid(editSchemas(name, "before"));
  const before = emittedTexts(project);
  const edited = await renderFiles({ ...editSchemas(name, "after"), ...migrationsOf(before) });
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
function schemasOf(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([path]) => path === "service.yaml" || path.startsWith("resources/"),
    ),
  );
}
