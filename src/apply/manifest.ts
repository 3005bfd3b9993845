import type { Diagnostic, Mistake } from "../diagnostics/diagnostic.js";
import { diagnostic, mistake, placed } from "../diagnostics/diagnostic.js";
import type { Result } from "../diagnostics/result.js";
import { failure, success } from "../diagnostics/result.js";
import { MANIFEST_PATH } from "../load/contract-source.js";
import { isGeneratedPath, isProjectPath } from "./project-path.js";

/** The content of generator.lock: which files were created, and the hashes of the generated ones. */
export interface Manifest {
  /** Version of the generator that wrote it; null when there is no generator.lock yet. */
  readonly madeBy: string | null;
  /** Path of each generated file -> SHA-256 of its text with LF line ends; several after a merge of two branches. */
  readonly generated: ReadonlyMap<string, readonly string[]>;
  /** Path of each file that was created once and belongs to the user since -> hashes of the text it was created with, where they are known. */
  readonly userFiles: ReadonlyMap<string, readonly string[]>;
}

/** Lists no files: every file on disk counts as hand-written (G20). */
export const EMPTY_MANIFEST: Manifest = {
  madeBy: null,
  generated: new Map(),
  userFiles: new Map(),
};

const HEADER = [
  "# What generator wrote: the SHA-256 and the path of each generated file; - marks a file that is yours, and what it was made with.",
  "# Commit this file and do not edit it: a file that differs from its line is kept, never overwritten.",
];

/** A line for each of 300,000 files. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

const VERSION_LINE = /^generator (\d+\.\d+\.\d+\S*)$/;

/** The text of generator.lock; sorted by path, so that two branches merge line by line. */
export function printManifest(manifest: Manifest): string {
  const lines = [
    ...[...manifest.generated].flatMap(([path, hashes]) =>
      hashes.map((hash) => ({ path, line: `${hash}  ${path}` })),
    ),
    ...[...manifest.userFiles].flatMap(([path, hashes]) =>
      (hashes.length === 0 ? [""] : hashes).map((hash) => ({ path, line: `-${hash}  ${path}` })),
    ),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const head = [...HEADER, `generator ${manifest.madeBy ?? ""}`];
  return [...head, ...lines.map(({ line }) => line), ""].join("\n");
}

/**
 * Reads generator.lock; if one line is damaged, none of them is trusted (OWN-2, OWN-8 to OWN-13, G20). Git merges it by keeping the lines of
 * both sides (`merge=union` in .gitattributes), so a path may have several hashes and there may be two versions.
 * One of a newer generator than `current` is refused (OWN-7); null accepts any.
 */
export function readManifest(text: string | null, current: string | null): Result<Manifest> {
  if (text === null) return success(EMPTY_MANIFEST);
  if (text.length > MOST_CHARACTERS) {
    const size = { size: text.length, most: MOST_CHARACTERS };
    return failure([untrusted(text.slice(0, 1000), 1, mistake("OWN-13", size))]);
  }
  const lines = text.split(/\r?\n/).map((content, index) => ({ content, number: index + 1 }));
  const said = lines.filter(({ content }) => content !== "" && !content.startsWith("#"));
  const marked = said.find(({ content }) => /^[<=>|]{7}/.test(content));
  if (marked !== undefined) {
    return failure([untrusted(text, marked.number, mistake("OWN-8", {}))]);
  }
  const made = newestVersion(said);
  if (made === null) {
    return failure([untrusted(text, said[0]?.number ?? 1, mistake("OWN-9", {}))]);
  }
  if (current !== null && isNewer(made.version, current)) {
    return failure([outdated(text, made.number, { made: made.version, current })]);
  }
  return readEntries(text, made.version, said.slice(made.lines));
}

/** What several say together; each path has the hashes of all. A path that is a user's in one of them is that in all. */
export function unitedManifests(all: readonly Manifest[]): Manifest {
  const united = (own: "generated" | "userFiles"): Map<string, readonly string[]> => {
    const paths = new Map<string, readonly string[]>();
    for (const manifest of all)
      for (const [path, hashes] of manifest[own])
        paths.set(path, [...new Set([...(paths.get(path) ?? []), ...hashes])]);
    return paths;
  };
  const [generated, userFiles] = [united("generated"), united("userFiles")];
  for (const path of userFiles.keys()) generated.delete(path);
  return {
    madeBy: all.map(({ madeBy }) => madeBy).find((one) => one !== null) ?? null,
    generated,
    userFiles,
  };
}

/** The newest of the versions that the first lines name, its line, and how many such lines there are. */
function newestVersion(
  said: readonly Line[],
): { readonly version: string; readonly number: number; readonly lines: number } | null {
  let newest: { readonly version: string; readonly number: number } | null = null;
  let lines = 0;
  for (const { content, number } of said) {
    const version = VERSION_LINE.exec(content)?.[1];
    if (version === undefined) break;
    lines += 1;
    if (newest === null || isNewer(version, newest.version)) newest = { version, number };
  }
  return newest === null ? null : { ...newest, lines };
}

interface Line {
  readonly content: string;
  readonly number: number;
}

function readEntries(text: string, madeBy: string, lines: readonly Line[]): Result<Manifest> {
  const generated = new Map<string, Set<string>>();
  const userFiles = new Map<string, Set<string>>();
  for (const { content, number } of lines) {
    const [, mark = "", hash = "", path] = ENTRY.exec(content) ?? [];
    const wrong = mistakeOf(mark, path);
    if (wrong !== null) return failure([untrusted(text, number, wrong)]);
    if (path === undefined) continue;
    const [own, others] = mark === "-" ? [userFiles, generated] : [generated, userFiles];
    if (others.has(path)) {
      return failure([untrusted(text, number, mistake("OWN-12", { path }))]);
    }
    const hashes = own.get(path) ?? new Set();
    own.set(path, hash === "" ? hashes : hashes.add(hash));
  }
  return success({ madeBy, generated: listed(generated), userFiles: listed(userFiles) });
}

function listed(hashes: ReadonlyMap<string, ReadonlySet<string>>): Manifest["generated"] {
  return new Map([...hashes].map(([path, all]) => [path, [...all]]));
}

/** A hash with a path, or the mark of a user's file with the hash of what it was made with, where that is known. */
const ENTRY = /^(?=[0-9a-f]{64} |-)(-?)([0-9a-f]{64}|) {2}(.+)$/;

function mistakeOf(mark: string, path: string | undefined): Mistake | null {
  if (path === undefined) return mistake("OWN-2", {});
  if (!isProjectPath(path)) return mistake("OWN-10", { path });
  return mark === "-" || isGeneratedPath(path) ? null : mistake("OWN-11", { path });
}

function untrusted(text: string, line: number, wrong: Mistake): Diagnostic {
  const suggestion = "Restore it from version control, or delete it and run the command again.";
  return placed(wrong, placeOf(text, line), { suggestion });
}

function outdated(
  text: string,
  line: number,
  versions: { readonly made: string; readonly current: string },
): Diagnostic {
  const suggestion = "Install that version, or write the files of this one with --force.";
  return diagnostic("OWN-7", placeOf(text, line), versions, { suggestion });
}

function placeOf(text: string, line: number) {
  const length = text.split(/\r?\n/)[line - 1]?.length ?? 0;
  const span = { file: MANIFEST_PATH, line, column: 1, endLine: line, endColumn: length + 1 };
  return { span, source: text };
}

/** True when the version `made` is above `current`; a pre-release counts as its release. */
function isNewer(made: string, current: string): boolean {
  const [a, b] = [numbersOf(made), numbersOf(current)];
  const index = a.findIndex((number, at) => number !== b[at]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(/[-+]/, 1)[0]?.split(".").map(Number) ?? [];
}
