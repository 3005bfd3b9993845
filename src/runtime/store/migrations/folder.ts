import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

import { StartRefusal } from "../../base/errors.js";
import { storageFingerprint, type StorageModel } from "../storage-model.js";
import type { Migration, StorageRecord, MigrationFile, MigrationStep } from "./migration.js";

/** `migrationDigests` at the time of the build, defined by `tools/bundle.ts`. */
declare const BUILT_MIGRATIONS: Readonly<Record<string, string>>;
const built = typeof BUILT_MIGRATIONS === "undefined" ? null : BUILT_MIGRATIONS;

/**
 * The migrations of a folder, in order of their names; of a bundle, those that it was built with, since its code does not
 * know what later ones store. Throws `StartRefusal`.
 */
export async function readMigrations(folder: URL, dialect: string): Promise<readonly Migration[]> {
  const base = baseOf(folder);
  const names = built === null ? await folderNames(base) : await builtNames(base, built);
  return Promise.all(names.map((name) => readMigration(base, name, dialect)));
}

/** Migrations that are newer than the bundle. */
export async function laterMigrations(folder: URL): Promise<readonly string[]> {
  if (built === null) return [];
  return (await folderNames(baseOf(folder))).filter((name) => built[name] === undefined);
}

/** The SHA-256 of the files of each migration, by name. */
export async function migrationDigests(folder: URL): Promise<Readonly<Record<string, string>>> {
  const base = baseOf(folder);
  const digests = (await folderNames(base)).map(
    async (name) => [name, await digestOf(base, name)] as const,
  );
  return Object.fromEntries(await Promise.all(digests));
}

async function builtNames(
  base: URL,
  digests: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const names = Object.keys(digests).sort();
  for (const name of names) {
    const digest = await digestOf(base, name).catch(() => null);
    if (digest !== digests[name])
      throw new StartRefusal(
        `The folder migrations/${name} is not the one that this release was built with. Restore it, or run "npm run build".`,
      );
  }
  return names;
}

async function digestOf(base: URL, name: string): Promise<string> {
  const folder = new URL(`${encodeURIComponent(name)}/`, base);
  const files = (await readdir(folder)).sort();
  const hash = createHash("sha256");
  for (const file of files) hash.update(JSON.stringify([file, await readText(folder, file)]));
  return hash.digest("hex");
}

function baseOf(folder: URL): URL {
  return folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
}

async function folderNames(base: URL): Promise<readonly string[]> {
  try {
    const entries = await readdir(base, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new StartRefusal(`The folder of the migrations cannot be read: ${base.pathname}.`, {
      cause: error,
    });
  }
}

async function readMigration(base: URL, name: string, dialect: string): Promise<Migration> {
  const folder = new URL(`${encodeURIComponent(name)}/`, base);
  const text = await readText(folder, `${dialect}.sql`).catch((error: unknown) => {
    throw new StartRefusal(`Migration ${name} has no ${dialect}.sql.`, { cause: error });
  });
  const digest = createHash("sha256").update(text).digest("hex");
  const script = scriptOf(text);
  // Only the PostgreSQL script marks all that has to wait, since SQLite runs a whole migration at once.
  const marked =
    dialect === "postgres" ? script : await readText(folder, "postgres.sql").catch(() => script);
  const retiresOlder = hasToWait(script) || hasToWait(scriptOf(marked));
  return { name, script, digest, retiresOlder, ...(await readStorage(folder, name)) };
}

/** A byte order mark or line ends of CR alone would hide a marker. */
function scriptOf(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r", "\n");
}

/** Line ends may differ between checkouts. */
async function readText(folder: URL, file: string): Promise<string> {
  return (await readFile(new URL(file, folder), "utf8")).replaceAll("\r\n", "\n");
}

/** Hand-written migrations may have no `migration.json`. */
async function readStorage(
  folder: URL,
  name: string,
): Promise<Pick<Migration, "steps" | "parents" | "storage">> {
  const file = (await readJson(folder, name, "migration.json")) as MigrationFile | null;
  if (file !== null) {
    const { steps, parents, handWritten = false } = file;
    return { steps, parents: handWritten ? [] : parents, storage: recordOf(file) };
  }
  const model = (await readJson(folder, name, "storage.json")) as StorageModel | null;
  if (model === null) return { steps: [], parents: [], storage: null };
  return {
    parents: [],
    steps: model.tables.map((table) => ({ step: "createTable", table })),
    storage: { fingerprint: storageFingerprint(model), model: JSON.stringify(model) },
  };
}

/** Names suffice; the rest follows from the migrations. */
function recordOf({ storage, steps }: MigrationFile): StorageRecord {
  const tables = steps.flatMap(createdTables).map((name) => ({ name }));
  return { fingerprint: storage, model: JSON.stringify({ tables }) };
}

function createdTables(step: MigrationStep): readonly string[] {
  if (step.step === "createTable") return [step.table.name];
  return step.step === "renameTable" ? [step.to] : [];
}

async function readJson(folder: URL, migration: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(new URL(file, folder), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new StartRefusal(`${file} of migration ${migration} cannot be read.`, { cause: error });
  }
}

/** See docs/migrations.md of the generator. */
type StatementKind =
  "check" | "read" | "run" | "batch" | "fill" | "outside" | "convert" | "refill" | "contract";

export interface MigrationStatement {
  readonly kind: StatementKind;
  /** The sentence of its marker: its effect, or for a check the rows that must not exist. */
  readonly what: string;
  readonly sql: string;
}

const KINDS = "check|read|run|batch|fill|outside|convert|refill|contract";
const MARKER = new RegExp(`^-- (${KINDS}): (.*\\S)\\s*$`);
/** Looks like a marker. An indented line is a comment inside a statement. */
const NEARLY_MARKER = new RegExp(`^--\\s*(?:${KINDS})\\s*:`, "i");
/** Texts (also `E'it\'s'` and `$$it's$$` of PostgreSQL), names and comments. An open block comment goes to the end. */
export const SQL_TOKENS =
  /\be'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gi;
const WHOLE = "all of it";
/** With foreign keys on, dropping a table in SQLite can delete the rows that refer to it. */
const REBUILDS = /^-- foreign keys: off\s*$|\bDROP\s+TABLE\b/im;

/** Splits a script at its markers. Without any, it is one statement. */
export function readScript(script: string): readonly MigrationStatement[] {
  const statements: { kind: StatementKind; what: string; lines: string[] }[] = [];
  for (const line of script.split("\n")) {
    const marker = MARKER.exec(line);
    if (marker !== null)
      statements.push({ kind: marker[1] as StatementKind, what: marker[2] ?? "", lines: [] });
    else statements.at(-1)?.lines.push(line);
  }
  if (statements.length === 0) return [{ kind: "run", what: WHOLE, sql: script }];
  return statements
    .map(({ kind, what, lines }) => ({ kind, what, sql: lines.join("\n").trim() }))
    .filter(({ sql }) => !isComment(sql));
}

/** The statements without checks, in the order of PostgreSQL. */
export function statementsToRun(script: string): readonly MigrationStatement[] {
  const all = readScript(script).filter((statement) => !isCheck(statement));
  return [...all.filter((statement) => !waits(statement)), ...all.filter(waits)];
}

/** The SHA-256 of a statement without its sentence, which may change later. */
export function statementDigest({ kind, sql }: MigrationStatement): string {
  return createHash("sha256").update(`${kind}\n${sql}`).digest("hex");
}

/** A line that would be ignored; lines count from 1. */
interface SkippedLine {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/**
 * Finds a line that would be ignored: one that SQLite does not read, SQL before the first marker, something like a marker,
 * or a marker without SQL. A script without markers is run as a whole.
 */
export function skippedLine(script: string): SkippedLine | null {
  const lines = script.split("\n");
  const unread = unreadPlace(script);
  if (unread !== null) {
    const line = script.slice(0, unread.at).split("\n").length;
    return { line, text: lines[line - 1] ?? "", why: unread.why };
  }
  const first = lines.findIndex((line) => MARKER.test(line));
  if (first < 0) return null;
  const bare = withoutComments(script).split("\n");
  for (const [index, text] of lines.entries()) {
    if (NEARLY_MARKER.test(text) && !MARKER.test(text)) {
      return { line: index + 1, text, why: 'a marker is written as "-- run: <what it does>"' };
    }
    if (index < first && (bare[index] ?? "").trim() !== "") {
      return { line: index + 1, text, why: "statements before the first marker are never run" };
    }
    if (MARKER.test(text) && !isFollowed(lines, bare, index)) {
      return { line: index + 1, text, why: "a statement has to follow, on lines of its own" };
    }
  }
  return null;
}

/** Whether a marker has SQL; `bare` are the lines without comments. */
function isFollowed(lines: readonly string[], bare: readonly string[], marker: number): boolean {
  for (let index = marker + 1; index < lines.length; index += 1) {
    if (MARKER.test(lines[index] ?? "")) return false;
    if (/[^\s;]/.test(bare[index] ?? "")) return true;
  }
  return false;
}

/** Where SQLite stops reading, or a marker would cut a comment in two. */
function unreadPlace(script: string): { readonly at: number; readonly why: string } | null {
  const end = script.indexOf("\0");
  if (end >= 0) return { at: end, why: "text after a NUL character is never read" };
  for (const { 0: token, index } of script.matchAll(SQL_TOKENS)) {
    if (!token.startsWith("/*")) continue;
    const isMarked = token
      .split("\n")
      .slice(1)
      .some((line) => MARKER.test(line));
    if (isMarked) return { at: index, why: "a marker within a comment would end it" };
    if (!/^\/\*[^]*\*\/$/.test(token)) return { at: index, why: "the comment is not closed" };
  }
  return null;
}

/** Keeps the number of lines. */
function withoutComments(sql: string): string {
  return sql.replaceAll(SQL_TOKENS, (token) =>
    /^(?:--|\/\*)/.test(token) ? token.replaceAll(/[^\n]/g, "") : token,
  );
}

function hasToWait(script: string): boolean {
  return readScript(script).some(waits);
}

/** Whether a statement waits until no older release is running. */
export function waits({ kind }: MigrationStatement): boolean {
  return kind === "contract" || kind === "convert" || kind === "refill";
}

export function isCheck({ kind }: MigrationStatement): boolean {
  return kind === "check" || kind === "read";
}

export function rebuildsTables(script: string): boolean {
  return REBUILDS.test(script);
}

export function asSubquery(sql: string): string {
  return `(${withoutComments(sql).replace(/[;\s]+$/, "")}\n) AS "found"`;
}

function isComment(sql: string): boolean {
  return sql.split("\n").every((line) => /^\s*(?:--.*)?$/.test(line));
}
