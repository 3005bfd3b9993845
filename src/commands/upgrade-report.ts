import { join } from "node:path";
import type { Change } from "../apply/change.js";
import type { FileSystem } from "../files/file-system.js";

/** What has changed in one part of a service. */
export interface OutputChanges {
  /** `entities` */
  readonly part: string;
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  /** Lines that were not there before, and lines that are gone; a line that moved is neither. */
  readonly linesAdded: number;
  readonly linesRemoved: number;
}

/** The parts of a service, by the paths of their files; the first that fits counts. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["entities", /^src\/generated\/entities\//],
  ["resources", /^src\/generated\/v\d+\//],
  ["the service", /^src\/generated\//],
  ["OpenAPI", /^openapi\//],
  ["generated tests", /^test\/generated\//],
  ["contracts", /^contract\//],
  ["migrations", /^migrations\//],
  ["documents", /^docs\//],
  ["your files", /^/],
];

/** What a run changed, by part, where it changed something; `before` is the text that a file had. */
export function outputChanges(
  changes: readonly Change[],
  before: (path: string) => string,
): readonly OutputChanges[] {
  const done = changes.filter(({ kind, path }) => isDone(kind) && path !== "generator.lock");
  return PARTS.flatMap(([part]) => {
    const own = done.filter(({ path }) => partOf(path) === part);
    if (own.length === 0) return [];
    const lines = own.map((change) => lineChanges(before(change.path), textAfter(change)));
    const count = (wanted: Change["kind"]): number =>
      own.filter(({ kind }) => kind === wanted).length;
    return [
      {
        part,
        ...{ created: count("created"), updated: count("updated"), removed: count("removed") },
        linesAdded: sum(lines.map(({ added }) => added)),
        linesRemoved: sum(lines.map(({ removed }) => removed)),
      },
    ];
  });
}

function isDone(kind: Change["kind"]): boolean {
  return kind === "created" || kind === "updated" || kind === "removed";
}

function partOf(path: string): string | undefined {
  return PARTS.find(([, pattern]) => pattern.test(path))?.[0];
}

function textAfter(change: Change): string {
  return change.kind === "created" || change.kind === "updated" ? change.text : "";
}

function lineChanges(before: string, after: string): { added: number; removed: number } {
  const counts = new Map<string, number>();
  for (const line of before.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of after.split("\n")) counts.set(line, (counts.get(line) ?? 0) - 1);
  const left = [...counts.values()];
  return {
    added: sum(left.filter((count) => count < 0).map((count) => -count)),
    removed: sum(left.filter((count) => count > 0)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * What the changelog of the generator says of the versions after `from`, up to `to`, and of what is not released yet;
 * "" where `to` is not above `from`, nor another build of it.
 */
export function releaseNotes(
  files: FileSystem,
  packageRoot: string,
  {
    from,
    to,
    isSame,
  }: { readonly from: string | null; readonly to: string; readonly isSame: boolean },
): string {
  const path = join(packageRoot, "docs/changelog.md");
  // Another build of one version has entries that no release has.
  const isOther = from !== null && (isAbove(to, from) || (from === to && !isSame));
  if (!isOther || !files.exists(path)) return "";
  const sections = files.readText(path).split(/^(?=## )/m);
  const told = sections.filter((section) => {
    const version = /^## (\d+\.\d+\.\d+)/.exec(section)?.[1];
    return version !== undefined && isAbove(version, from) && !isAbove(version, to);
  });
  return [unreleased(files, join(packageRoot, "docs/changelog")), ...told].join("");
}

/** Returns a section of the entries that no release has; "" without entries. */
function unreleased(files: FileSystem, folder: string): string {
  const names = files.exists(folder) ? files.list(folder) : [];
  const entries = names.map((name) => files.readText(join(folder, name))).sort();
  return entries.length === 0 ? "" : `## Unreleased\n${entries.join("")}\n`;
}

function isAbove(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) =>
    text.split(/[-+]/, 1)[0]?.split(".").map(Number),
  );
  const at = one?.findIndex((number, index) => number !== two?.[index]) ?? -1;
  return at >= 0 && (one?.[at] ?? 0) > (two?.[at] ?? 0);
}
