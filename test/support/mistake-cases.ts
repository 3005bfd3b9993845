import { readdirSync, readFileSync } from "node:fs";
import { printedFor } from "./diagnostic-pages.js";
import { parseTxtar, printTxtar } from "./txtar.js";

const FOLDER = "fixtures/mistakes";

/** Projects with several mistakes: their files, and what is printed for all of them. */
export const MISTAKE_FILES: readonly string[] = readdirSync(FOLDER)
  .sort()
  .map((name) => `${FOLDER}/${name}`);

/** Prints a case with what is printed for its project now. */
export async function mistakeText(path: string): Promise<string> {
  const { comment, files } = parseTxtar(readFileSync(path, "utf8"));
  const { "stderr.txt": _, ...project } = files;
  return printTxtar({
    comment,
    files: { ...project, "stderr.txt": await printedFor(project) },
  });
}
