import { filesBelow } from "../architecture/source-tree.js";

/** Where people read our words, in the order in which they meet them. */
const SCOPES = [
  /^src\/diagnostics\/messages\/.*\.ts$/,
  /^src\/(?:cli|commands)\/.*\.ts$/,
  /^src\/runtime\/(?!dist\/|testing\/).*\.ts$/,
  /^src\/artifacts\/.*\.ts$/,
  /^templates\//,
];

/** Pages of the repository; a name added here is read as well. */
const PAGES = ["SECURITY.md"];

/** Lists the files whose prose is linted. */
export function prosePaths(): string[] {
  const paths = ["src", "templates"].flatMap(filesBelow);
  return [...PAGES, ...SCOPES.flatMap((scope) => paths.filter((path) => scope.test(path)))];
}
