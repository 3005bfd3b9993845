import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { thisMachine } from "../../src/cli/this-machine.js";
import { init } from "../../src/commands/init.js";
import { nodeFiles } from "../../src/files/node-files.js";
import { expectSuccess } from "../support/expect-success.js";
import { RUNTIME_SOURCE } from "../support/runtime.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** How many files there are, and how many lines of text in them. */
export interface Size {
  readonly files: number;
  readonly lines: number;
}

/** Sizes by what is measured. */
export type Sizes = Readonly<Record<string, Size>>;

/** A new minimal service as it is committed; the packed generator is a file without lines. */
const MINIMAL = "new service";

/** All tracked files, those of no room included. */
const ALL = "all";

/**
 * The most that each room may hold: what it held when the number was written, and 1 % more at most. A number goes down
 * with each change that removes something. It goes up only in a commit that says what earned it.
 */
export const MOST: Sizes = {
  src: { files: 603, lines: 56_240 },
  // What runs in services: the runtime without `testing`.
  runtime: { files: 121, lines: 27_370 },
  // The rest of `templates`: the examples, and what the tests of services run on (`testing` of the runtime), included.
  templates: { files: 74, lines: 3_170 },
  test: { files: 681, lines: 73_080 },
  fixtures: { files: 701, lines: 43_760 },
  docs: { files: 357, lines: 17_130 },
  bench: { files: 52, lines: 5_810 },
  bin: { files: 8, lines: 705 },
  [ALL]: { files: 2_616, lines: 238_350 },
  [MINIMAL]: { files: 47, lines: 1_650 },
};

/** Lists the paths of all tracked files; null without git or its folder, as in a source archive. */
export function trackedFiles(root = ROOT): readonly string[] | null {
  if (!existsSync(join(root, ".git"))) return null;
  try {
    const listed = execFileSync("git", ["ls-files", "-z"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    });
    return listed.split("\0").filter((path) => path !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Measures each room, and all of them together. */
export function roomSizes(paths: readonly string[]): Sizes {
  const rooms = Object.keys(MOST).filter((name) => name !== ALL && name !== MINIMAL);
  const sizes = rooms.map((room): [string, Size] => {
    const inside = paths.filter((path) => roomOf(path) === room);
    return [room, sizeOf(ROOT, inside)];
  });
  return { ...Object.fromEntries(sizes), [ALL]: sizeOf(ROOT, paths) };
}

/** Measures what a new minimal service has to commit. */
export async function minimalSize(): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), "sizes-"));
  const root = join(folder, "minimal");
  const env = { files: nodeFiles, root, machine: thisMachine(), version: "0.1.0", build: "sizes" };
  try {
    expectSuccess(await init(env, { example: "minimal", packageRoot: ROOT }));
    const names = readdirSync(root, { recursive: true, encoding: "utf8" });
    const committed = names.filter(
      (name) => !/^\.rulebound/.test(name) && !lstatSync(join(root, name)).isDirectory(),
    );
    return { [MINIMAL]: sizeOf(root, committed) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lists each size that is over its limit, and what to do about it. */
export function sizeFindings(sizes: Sizes, most: Sizes = MOST): string[] {
  return Object.entries(sizes).flatMap(([room, size]) =>
    (["files", "lines"] as const).flatMap((unit) => {
      const over = size[unit] - (most[room]?.[unit] ?? 0);
      if (over <= 0) return [];
      return [
        `${room}: ${size[unit]} ${unit}, ${over} too many. Remove something, ` +
          "or raise the number in test/architecture/sizes.ts and say in the commit what earned it.",
      ];
    }),
  );
}

/** Prints a line for each room: its size and its limit. */
export function sizeTable(sizes: Sizes): string {
  const rows = Object.entries(sizes).map(([room, { files, lines }]) => {
    const most = MOST[room];
    return [room, files, most?.files ?? "", lines, most?.lines ?? ""].map(String);
  });
  return [["", "files", "at most", "lines", "at most"], ...rows]
    .map(([room = "", ...numbers]) =>
      [room.padEnd(12), ...numbers.map((number) => number.padStart(8))].join(""),
    )
    .join("\n");
}

function roomOf(path: string): string {
  if (path.startsWith(`${RUNTIME_SOURCE}/testing/`)) return "templates";
  if (path.startsWith(`${RUNTIME_SOURCE}/`)) return "runtime";
  return path.split("/")[0] ?? "";
}

function sizeOf(root: string, paths: readonly string[]): Size {
  // A file that was removed is tracked until the removal is committed.
  const lines = paths.map((path) => linesOf(join(root, path))).filter((count) => count !== null);
  return { files: lines.length, lines: lines.reduce((sum, count) => sum + count, 0) };
}

/** Measures one file; null where it does not exist. Pictures, archives and links have no lines. */
function linesOf(path: string): number | null {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return null;
  if (!status.isFile()) return 0;
  const bytes = readFileSync(path);
  if (bytes.includes(0)) return 0;
  return bytes.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
}
