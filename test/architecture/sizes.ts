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
 * with each change that removes something. It goes up only with a comment that gives the reason.
 */
export const MOST: Sizes = {
  // 2 files and 300 lines more: steps that convert rows, and what two branches, or two releases, may not both touch.
  // 100 lines more: the waits of verify and the size of generator.lock have bounds, and verdicts see what means the same.
  // 400 lines more: verify counts what unique values can hold.
  // 300 lines more: the frozen contract holds where names lead, and what rows refuse can be taken back.
  // 1 file and 50 lines more: an upgrade to the package names what it cannot change.
  // 100 lines more: validators share the reader of their entity, which is 780 lines of fixtures less.
  // 1 file and 260 lines more: a rename leaves what means something else as it is.
  // 200 lines more: the types of what clients send and are answered, in each version.
  // 2 files and 290 lines more: samples are functions as well, and a module; names of the schema hide no import.
  // 1 file and 190 lines more: verify sees every fault in a conversion, for which services had tests.
  // 90 lines more: what clients only read can stand in the items of lists.
  // 70 lines more: verify shows the samples that may be missing; operations of OpenAPI documents say what they do and who may, and name a contact.
  // 20 files and 2,810 lines fewer: the texts of rules and of kinds of edit are in docs.
  // 50 lines more: events that actions and custom code emit, and what is done once.
  // 4 files and 660 lines more: a typed client of each version.
  // 31 files fewer, and 170 lines more: each check lists its codes, and a file that one other reads is part of it.
  // 35 lines more: names that emitted code uses, all keywords are explained, and a file that cannot be read is reported once.
  // 5 files and 785 lines more: journals and caches that a repository brings decide nothing, clients check what they are answered, and verdicts see service.yaml, deletions and what v2 converts.
  src: { files: 587, lines: 53_230 },
  // What runs in services: the runtime without `testing`.
  // 60 lines more: no line of a script is skipped in silence, and no check that checks nothing passes.
  // 400 lines more: migrations convert rows with the service's own code.
  // 350 lines more: what entities show of others is bounded, and a failing plugin or microtask stops nothing.
  // 3 files and 150 lines more: the package.json and README of the package, pages in the order of their sort, counts of few rows.
  // 2 files and 750 lines more: its documents, which were templates.
  // 2 files and 60 lines more: the two modules that own code imports.
  // 20 lines more: it says the SQL that each emitted table said, which is 260 lines of fixtures less.
  // 2 files and 150 lines more: the types of bodies, and what reads those, which is 700 lines of fixtures less.
  // 1 file and 80 lines more: what clients only read can stand in the items of lists.
  // 10 lines more: longer messages.
  // 1 file and 180 lines more: events that actions and custom code emit, and what is done once.
  // 10 lines more: a row is SqlRow, since entities can be called row.
  // 2 files and 510 lines more: receivers of webhooks have bounds, a migration that failed can be corrected, and large errors cost bounded work.
  runtime: { files: 301, lines: 25_320 },
  // The rest of `templates`: the examples, and what the tests of services run on (`testing` of the runtime), included.
  // 1 file and 40 lines more: tickets for the help desk.
  // 8 files and 530 lines more: a typed client of each version.
  // 1 file and 115 lines more: clients check what they are answered.
  templates: { files: 102, lines: 3_490 },
  // 1,000 lines more: all pairs of edits that change what is stored, merged; rows seen through both versions.
  // 750 lines more: each kind of edit is deployed while both releases read and write.
  // 300 lines more: documents, padlocks, entity tags and the clients of the tutorial are tried as clients meet them.
  // 250 lines more: what both packages hold, which version code was made for, pages against a sort in memory.
  // 1 file and 100 lines more: what the page about performance is made of.
  // 2 files and 100 lines more: what those modules promise.
  // 1 file and 50 lines more: the types of bodies.
  // 1 file and 70 lines more: which names a file imports.
  // 70 lines more: samples that are functions.
  // 2 files and 250 lines more: what clients only read can stand in the items of lists.
  // 20 lines more: what a second linter asks of OpenAPI documents.
  // 7 files and 450 lines more: the linter of prose, its dictionary and its tests.
  // 2 files and 150 lines more: cases are texts with sections, which is 748 files of fixtures less.
  // 2 files and 300 lines more: a page of a diagnostic is parsed, and each right version is tried.
  // 20 lines more: links lead to headings, and the index of the decisions lists each page.
  // 2 files and 140 lines more: tests of the parser of pages.
  // 1 file and 80 lines more: events that actions and custom code emit, and what is done once.
  // 1 file and 250 lines more: a typed client of each version.
  // 7 files and 520 lines more: the client's package, browser and operations; events that are old or emitted; codes of checks; a sink that is down.
  // 50 more lines: commands run in a process that stays warm; undeclared names of events.
  // 6 files and 730 lines fewer: what the contract's tests say of a generated service is not said of one written by hand.
  // 90 lines more: names are tried with references and in two versions, and every keyword is explained.
  // 25 files and 3,560 lines more: receivers, servers of the client, journals, caches, names and verdicts by place are tried from outside.
  test: { files: 641, lines: 66_820 },
  // 100 lines more: each filter in an OpenAPI document has a description.
  // 2 files and 330 lines more: the declarations of the modules that own code imports.
  // 27 files less, and 27 others: routes stand with their controller, and each resource has a file of DTOs.
  // 2 files and 20 lines more: an edit of what clients only read in the items of lists.
  // 130 lines more: descriptions of operations.
  // 748 files fewer, and 360 lines more for the heads of sections: cases are texts with sections.
  // 720 files and 2,540 lines fewer: projects with a mistake are in the pages of diagnostics.
  // 12 files and 870 lines more: a typed client of each version.
  // 4 files and 410 lines more: clients check what they are answered; edits that no filled database accepts.
  fixtures: { files: 733, lines: 48_390 },
  // 3 files more: two plots. 100 lines fewer: measurement logs are in bench.
  // 1 file and 130 lines more: how to work with a service, which was in the README.
  // 3,560 lines more: a page of a diagnostic has its whole projects and its output.
  // 147 files and 1,290 lines fewer: decisions are by subject, and the first release has no entries of the changelog.
  // 690 lines more: the texts of kinds of edit, which were in src.
  // 40 lines more: events that actions and custom code emit, and what is done once.
  // 1 file and 100 lines more: a typed client of each version.
  // 16 files and 360 lines more: a table of verdicts by place, kinds of edit of service.yaml, and entries of the changelog.
  docs: { files: 308, lines: 15_890 },
  // 2 files and 100 lines more: the soak logs, which were in docs.
  // 8 files more: a page and plots of the results, latency, and the measurement logs, which were in docs.
  // 490 lines fewer: a figure of the results is a line.
  // 1 file and 120 lines more: what events cost a POST.
  // 1 file and 50 lines more: waits have an end.
  bench: { files: 52, lines: 5_750 },
  // 20 lines more: the runtime is compiled and packed.
  // 1 file and 160 lines more: a parser of pages, which is 2,810 lines of src less.
  bin: { files: 8, lines: 670 },
  // 16 files more: what measures, draws and tests the page about performance, and a decision.
  // 6 files and 460 lines more: what clients only read can stand in the items of lists.
  // 8 files and 1,590 lines more: the linter of prose, and its packages in package-lock.json.
  // 746 files fewer and 510 lines more: cases are texts with sections.
  // 719 files fewer and 1,300 lines more: a page of a diagnostic is its own test.
  // 17 files and 2,100 lines more: events (EVT-1), and 540 lines of package-lock.json for what judges them.
  // 147 files and 1,260 lines fewer: decisions by subject, and the changelog of the first release.
  // 22 files and 2,600 lines more: events (EVT-1), their check and their commands, and 540 lines of package-lock.json.
  // 17 files and 1,820 lines fewer: the text of a rule or of a kind of edit is in one place.
  // 2 files and 370 lines more: events that actions and custom code emit, and what is done once.
  // 26 files and 2,420 lines more: a typed client of each version.
  // 120 lines more: events are numbered, and wrong names of events are reported; the pages of a service name client and events.
  // 54 files and 5,780 lines more: faults that were found from outside are mended, each with its tests.
  [ALL]: { files: 2_747, lines: 230_680 },
  // 2 lines more: neither git nor an image takes archives of clients.
  [MINIMAL]: { files: 51, lines: 1_770 },
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
          "or raise the number in test/architecture/sizes.ts with the reason beside it.",
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
