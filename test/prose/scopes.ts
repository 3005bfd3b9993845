import { filesBelow } from "../architecture/source-tree.js";

/** The files that hold texts for users: messages, responses and logs, emitted comments and descriptions, pages of `init`. */
const SCOPES = [
  /^src\/diagnostics\/messages\/.*\.ts$/,
  /^src\/(?:apply|cli|commands|contract|kinds|load|rules|validate)\/.*\.ts$/,
  // Not the comments of steps: those are in migrations that services have already.
  /^src\/migrations\/(?!step-words)[^/]*\.ts$/,
  /^src\/runtime\/.*\.ts$/,
  /^src\/artifacts\/.*\.ts$/,
  /^templates\//,
];

/** Pages of the repository. */
const PAGES = [
  ...["README.md", "SECURITY.md", "docs/changelog.md", "docs/working.md"],
  ...["docs/changes.md", "docs/contract.md"],
  ...filesBelow("docs/decisions"),
];

/** Lists the files whose prose is linted. */
export function prosePaths(): string[] {
  const paths = ["src", "templates"].flatMap(filesBelow);
  return [...PAGES, ...paths.filter((path) => SCOPES.some((scope) => scope.test(path)))];
}
