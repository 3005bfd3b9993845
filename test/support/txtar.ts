import type { Texts } from "./render-files.js";

/** Several files as one text, in the format txtar of Go. */
export interface Txtar {
  readonly comment: string;
  readonly files: Texts;
}

const MARKER = /^-- (.+) --\n/gm;

/** Parses a text: lines before the first marker are its comment, and `-- path --` begins a file. */
export function parseTxtar(text: string): Txtar {
  const [comment = "", ...parts] = text.split(MARKER);
  const files: Record<string, string> = {};
  for (let at = 0; at < parts.length; at += 2) files[parts[at] ?? ""] = parts[at + 1] ?? "";
  return { comment, files };
}

/** Prints a comment and files as one text; each of them ends in a line feed. */
export function printTxtar({ comment, files }: Txtar): string {
  const sections = Object.entries(files).map(([path, text]) => `-- ${path} --\n${text}`);
  return [comment, ...sections].join("");
}
