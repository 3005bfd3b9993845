import { parseTxtar, printTxtar } from "../support/txtar.js";

const EDIT = /^fixtures\/edits\/[^/]+\.txtar$/;

/** Where `npm run accept` writes. */
const ACCEPTED = [/^fixtures\/golden\/[^/]+\/expected\//, EDIT];

/** Says whether `npm run accept` makes the text at a path from others, or a part of it. */
export function isAccepted(path: string): boolean {
  return ACCEPTED.some((pattern) => pattern.test(path));
}

/** The part of a generated text that people write: the comment and the schemas of an edit. */
export function writtenPart(path: string, text: string): string {
  if (!EDIT.test(path)) return "";
  const { comment, files } = parseTxtar(text);
  const schemas = Object.entries(files).filter(([section]) => section.endsWith(".yaml"));
  return printTxtar({ comment, files: Object.fromEntries(schemas) });
}

/** Says whether a combined diff of two parents has lines that neither of them made. */
export function hasOwnLines(diff: string): boolean {
  let isInHunk = false;
  return diff.split("\n").some((line) => {
    // The head of a file has `---` and `+++`; in a hunk each line begins with a sign or a space.
    if (line.startsWith("diff --cc ")) isInHunk = false;
    else if (line.startsWith("@@@ ")) isInHunk = true;
    return isInHunk && /^(?:\+\+|--)/.test(line);
  });
}
