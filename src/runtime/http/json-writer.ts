import type { CommonFields, Subject } from "../base/common-fields.js";
import { pageTooLarge } from "../base/errors.js";
import type { Page } from "../query/page.js";

/**
 * Writes one value as JSON. `line` is a line break with the indentation of the value's last line; an
 * empty one means compact: no white space at all (REP-5).
 */
export type Write<T> = (value: T, line: string) => string;

// Control characters, the quote, the backslash, and surrogates, of which a lone one is escaped.
const ESCAPED = /[^\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]/;

/**
 * A text as JSON.stringify writes it, which is called only where it would change something: it costs more. A text that
 * stored JSON lacks is null, whatever its type says (REP-2).
 */
export function quote(text: string): string {
  if (typeof text !== "string") return "null";
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A text that may be null, as JSON.stringify writes it (REP-2). */
export function quoteOrNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}

/** A list with one item per line; `[]` for an empty one (REP-3). */
export function jsonItems<T>(items: readonly T[], write: Write<T>, line: string): string {
  if (items.length === 0) return "[]";
  if (line === "") return `[${items.map((item) => write(item, "")).join(",")}]`;
  const inner = `${line}  `;
  let text = "[";
  let separator = inner;
  for (const item of items) {
    text += separator + write(item, inner);
    separator = `,${inner}`;
  }
  return `${text}${line}]`;
}

/** Writes the common fields of an entity, without its identifier (ENT-1). */
export function jsonCommonFields(entity: CommonFields, line: string): string {
  const { createdDate, createdSubject, lastModifiedDate, lastModifiedSubject } = entity;
  if (line === "") {
    return (
      `"createdDate":"${createdDate}","createdSubject":${compactSubject(createdSubject)},` +
      `"lastModifiedDate":"${lastModifiedDate}","lastModifiedSubject":${compactSubject(lastModifiedSubject)}`
    );
  }
  return (
    `"createdDate": "${createdDate}",${line}"createdSubject": ${jsonSubject(createdSubject, line)},${line}` +
    `"lastModifiedDate": "${lastModifiedDate}",${line}"lastModifiedSubject": ${jsonSubject(lastModifiedSubject, line)}`
  );
}

/** Who created or changed an entity (ENT-2). */
export function jsonSubject(subject: Subject, line: string): string {
  if (line === "") return compactSubject(subject);
  const inner = `${line}  `;
  const { subjectId, userPrincipalName } = subject;
  return `{${inner}"subjectId": ${quote(subjectId)},${inner}"userPrincipalName": ${quote(userPrincipalName)}${line}}`;
}

/** So much text is written before others have their turn. */
const TURN_CHARACTERS = 1_048_576;

/** The envelope of a collection (COL-1, COL-2), pretty (REP-5) unless it is told otherwise. A large one is written in turns. */
export function jsonPage<T>(
  page: Page<T>,
  write: Write<T>,
  pretty = true,
): string | Promise<string> {
  const results = { items: page.results, write, line: pretty ? "\n    " : "", text: "", next: 0 };
  if (writeSome(results)) return withEnvelope(page, results.text, pretty);
  return writeRest(results).then(() => withEnvelope(page, results.text, pretty));
}

/** The items of a page, each on a line of its own unless `line` is empty, as far as they are written. */
interface Results<T> {
  readonly items: readonly T[];
  readonly write: Write<T>;
  readonly line: string;
  text: string;
  next: number;
}

async function writeRest<T>(results: Results<T>): Promise<void> {
  do await new Promise(setImmediate);
  while (!writeSome(results));
}

/** False where others have their turn before the rest. */
function writeSome<T>(results: Results<T>): boolean {
  const { items, write, line } = results;
  const separator = `,${line}`;
  let { text, next } = results;
  const most = text.length + TURN_CHARACTERS;
  for (; next < items.length && text.length < most; next += 1) {
    // Below the length of the list there is an item.
    text += (next === 0 ? line : separator) + write(items[next] as T, line);
  }
  results.text = text;
  results.next = next;
  return next === items.length;
}

function withEnvelope<T>(page: Page<T>, results: string, pretty: boolean): string {
  const { mostBytes } = page;
  const items = results === "" ? "[]" : `[${results}${pretty ? "\n  " : ""}]`;
  const text = pretty
    ? `{\n  "results": ${items}${pageMembers(page, "\n  ", ": ")}\n}`
    : `{"results":${items}${pageMembers(page, "", ":")}}`;
  // To count makes one text of its pieces as well, which would all be kept until the answer is sent.
  const isLarge = Buffer.byteLength(text) > mostBytes;
  if (isLarge && page.results.length > 1) throw pageTooLarge(mostBytes);
  return text;
}

function compactSubject(subject: Subject): string {
  const { subjectId, userPrincipalName } = subject;
  return `{"subjectId":${quote(subjectId)},"userPrincipalName":${quote(userPrincipalName)}}`;
}

/** The rest of an envelope, each member with what stands before it and after its name. */
function pageMembers<T>(page: Page<T>, before: string, colon: string): string {
  const { itemCount, next, pageNumber, pageSize } = page;
  const pageCount =
    itemCount === null || pageNumber === null ? null : Math.ceil(itemCount / pageSize);
  const all = Object.entries({ itemCount, pageNumber, pageSize, pageCount })
    .map(([name, value]) => (value === null ? "" : `,${before}"${name}"${colon}${value}`))
    .join("");
  return next === undefined ? all : `${all},${before}"next"${colon}${quoteOrNull(next)}`;
}
