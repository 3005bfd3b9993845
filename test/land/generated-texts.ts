/** Where `npm run accept` writes. */
const ACCEPTED = [
  /^fixtures\/golden\/[^/]+\/expected\//,
  /^fixtures\/edits\/[^/]+\/(?!(?:before|after)\/)/,
  /^docs\/(?:contract|changes)\.md$/,
];

/** Says whether `npm run accept` makes the text at a path from others. */
export function isAccepted(path: string): boolean {
  return ACCEPTED.some((pattern) => pattern.test(path));
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
