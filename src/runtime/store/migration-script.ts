import { createHash } from "node:crypto";

/** What a statement of a migration is for: see docs/migrations.md of the generator. */
export type StatementKind =
  "check" | "read" | "run" | "batch" | "fill" | "outside" | "convert" | "refill" | "contract";

/** One statement of a migration. */
export interface MigrationStatement {
  readonly kind: StatementKind;
  /** What it does; of a check, what must not be there. */
  readonly what: string;
  readonly sql: string;
}

const KINDS = "check|read|run|batch|fill|outside|convert|refill|contract";
const MARKER = new RegExp(`^-- (${KINDS}): (.*\\S)\\s*$`);
/** A line that its writer took for a marker; an indented one is a comment within a statement. */
const NEARLY_MARKER = new RegExp(`^--\\s*(?:${KINDS})\\s*:`, "i");
/** Texts (also `E'it\'s'` and `$$it's$$` of PostgreSQL), names and comments; one of several lines that is not closed goes to the end. */
export const SQL_TOKENS =
  /\be'(?:\\[\s\S]|[^'\\])*'|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gi;
const WHOLE = "all of it";
/** A table that is dropped deletes what refers to it, unless foreign keys are off. */
const REBUILDS = /^-- foreign keys: off\s*$|\bDROP\s+TABLE\b/im;

/** The statements of a script by its marker lines; one without any is a single statement, run as a whole. */
export function readScript(script: string): readonly MigrationStatement[] {
  const statements: { kind: StatementKind; what: string; lines: string[] }[] = [];
  for (const line of script.split("\n")) {
    const marker = MARKER.exec(line);
    // The pattern has no other words.
    if (marker !== null)
      statements.push({ kind: marker[1] as StatementKind, what: marker[2] ?? "", lines: [] });
    else statements.at(-1)?.lines.push(line);
  }
  if (statements.length === 0) return [{ kind: "run", what: WHOLE, sql: script }];
  return statements
    .map(({ kind, what, lines }) => ({ kind, what, sql: lines.join("\n").trim() }))
    .filter(({ sql }) => !isComment(sql));
}

/** The statements of a script that change something, in the order in which PostgreSQL runs them. */
export function statementsToRun(script: string): readonly MigrationStatement[] {
  const all = readScript(script).filter((statement) => !isCheck(statement));
  return [...all.filter((statement) => !waits(statement)), ...all.filter(waits)];
}

/** The SHA-256 of a statement, in hex: its sentence may change after it was run. */
export function statementDigest({ kind, sql }: MigrationStatement): string {
  return createHash("sha256").update(`${kind}\n${sql}`).digest("hex");
}

/** A line that would be skipped in silence; lines count from 1. */
export interface SkippedLine {
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/**
 * The first line of a script that would not do what its writer meant: what SQLite does not read, SQL before the first
 * marker, which is not run, or a line that looks like a marker. A script without markers is run as a whole.
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

/** Whether SQL comes between a marker and the next one; `bare` has the same lines without comments. */
function isFollowed(lines: readonly string[], bare: readonly string[], marker: number): boolean {
  for (let index = marker + 1; index < lines.length; index += 1) {
    if (MARKER.test(lines[index] ?? "")) return false;
    if (/[^\s;]/.test(bare[index] ?? "")) return true;
  }
  return false;
}

/** Where SQLite stops to read, or where a marker would cut a comment in two. */
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

/** With as many lines as before. */
function withoutComments(sql: string): string {
  return sql.replaceAll(SQL_TOKENS, (token) =>
    /^(?:--|\/\*)/.test(token) ? token.replaceAll(/[^\n]/g, "") : token,
  );
}

/** Whether a part of a script has to wait until no older release serves. */
export function hasToWait(script: string): boolean {
  return readScript(script).some(waits);
}

/** Whether a statement has to wait until no older release serves. */
export function waits({ kind }: MigrationStatement): boolean {
  return kind === "contract" || kind === "convert" || kind === "refill";
}

/** Whether a statement only looks for rows that violate a migration. */
export function isCheck({ kind }: MigrationStatement): boolean {
  return kind === "check" || kind === "read";
}

/** Whether SQLite has to run a script with foreign keys switched off. */
export function rebuildsTables(script: string): boolean {
  return REBUILDS.test(script);
}

/** A check as a part of another query. */
export function asSubquery(sql: string): string {
  return `(${withoutComments(sql).replace(/[;\s]+$/, "")}\n) AS "found"`;
}

function isComment(sql: string): boolean {
  return sql.split("\n").every((line) => /^\s*(?:--.*)?$/.test(line));
}
