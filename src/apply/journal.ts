import { sha256 } from "../files/hash.js";
import { isWritablePath } from "./project-path.js";

/** The planned steps of a run: written before its first change, so that a later run can finish them. */
export interface Journal {
  readonly writes: readonly StagedWrite[];
  readonly removals: readonly Removal[];
}

/** A staged file that will be renamed to its place. */
export interface StagedWrite {
  readonly path: string;
  /** Its name in the stage. */
  readonly staged: string;
  /** The hash of the file that it replaces; null if there is none. */
  readonly before: string | null;
  /** The hash of the new file. */
  readonly after: string;
}

/** A file to remove, if it still has the text that the generator wrote. */
export interface Removal {
  readonly path: string;
  readonly before: string;
}

/** The text of the journal: a checksum, then the steps. */
export function printJournal(journal: Journal): string {
  const body = JSON.stringify(journal);
  return `${sha256(body)}\n${body}\n`;
}

/**
 * Null for an incomplete or foreign text. The checksum shows that it is whole, and not who wrote it: a project can bring a
 * journal, so that every step has to be one that a run may take.
 */
export function parseJournal(text: string): Journal | null {
  const [checksum, body, ...rest] = text.split("\n");
  if (body === undefined || rest.join("") !== "" || sha256(body) !== checksum) return null;
  const value = parseJson(body);
  return isJournal(value) ? value : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJournal(value: unknown): value is Journal {
  const { writes, removals } = membersOf(value);
  return isListOf(writes, isWrite) && isListOf(removals, isRemoval);
}

/** The names that `apply` gives texts in the stage. */
const STAGED = /^\d{1,9}(?:\.edited)?$/;

function isWrite(value: unknown): boolean {
  const { path, staged, before, after } = membersOf(value);
  const isName = typeof staged === "string" && STAGED.test(staged);
  return isName && isTarget(path) && (before === null || isHash(before)) && isHash(after);
}

function isRemoval(value: unknown): boolean {
  const { path, before } = membersOf(value);
  return isTarget(path) && isHash(before);
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isTarget(path: unknown): boolean {
  return typeof path === "string" && isWritablePath(path);
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** None for what is not an object. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
