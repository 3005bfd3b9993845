import type { Texts } from "./render-files.js";

/** Several files as one text, in the format of Go's txtar: a line `-- path --` begins each file. */
export interface Txtar {
  /** The lines before the first file. */
  readonly comment: string;
  readonly files: Texts;
}

const MARKER = /^-- (\S+) --\n/m;

/** Reads a txtar text. Throws where two files have one path. */
export function parseTxtar(text: string): Txtar {
  const [comment = "", ...parts] = text.split(MARKER);
  const files: Record<string, string> = {};
  for (let index = 0; index < parts.length; index += 2) {
    const path = parts[index] ?? "";
    if (path in files) throw new Error(`two files of one txtar have the path ${path}`);
    files[path] = parts[index + 1] ?? "";
  }
  return { comment, files };
}

/** Prints what parseTxtar reads. Throws where a file would not be read as it is. */
export function printTxtar({ comment, files }: Txtar): string {
  for (const [path, text] of Object.entries(files)) {
    const isWhole = text === "" || text.endsWith("\n");
    if (!isWhole || MARKER.test(text)) throw new Error(`${path} cannot be a file of a txtar`);
  }
  const parts = Object.entries(files).map(([path, text]) => `-- ${path} --\n${text}`);
  return comment + parts.join("");
}
