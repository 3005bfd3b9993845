import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { malformedRequest, preconditionFailed, preconditionRequired } from "../base/errors.js";

/** Far more than the tags of all the copies that a client can have of one entity. */
const MAXIMUM_CHARACTERS = 2000;
// A character outside the class ends a try, and so does the next quote: the time is linear.
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** What stands around the tags of a list, each as a line end, which no header has (RFC 9110 5.6.1): commas between them, and more of those anywhere. */
const LIST = /^[ \t,]*\n(?:[ \t]*,[ \t,]*\n)*[ \t,]*$/;
const WEAK_PREFIX = "W/";

/** Any tag (`*`), or those of a list. */
type Tags = "any" | readonly string[];

/**
 * Evaluates `If-Match`, then `If-None-Match`, on an entity that the caller may read or change (RFC 9110 13.2.2): both
 * compare the revision. Throws 412, 428 where `If-Match` is required and missing, and 400 for what is neither a list of
 * tags nor `*`, which is not ignored: a client that sends it does not want to overwrite what it has not seen.
 */
export function checkPreconditions(
  revision: number,
  headers: IncomingHttpHeaders,
  isRequired: boolean,
): void {
  const match = headers["if-match"];
  const noneMatch = headers["if-none-match"];
  if (match === undefined) {
    if (isRequired) throw preconditionRequired();
  } else {
    const tags = readTags("If-Match", match);
    const isMatch = tags === "any" || tags.some((tag) => isOfRevision(tag, revision));
    if (!isMatch) throw preconditionFailed();
  }
  if (noneMatch === undefined) return;
  const tags = readTags("If-None-Match", noneMatch);
  if (tags === "any" || tags.some((tag) => isOfRevision(withoutWeakness(tag), revision))) {
    throw preconditionFailed();
  }
}

/** Evaluates `If-Match` for a read, which seldom has one. Throws as `checkPreconditions` does. */
export function checkReadable(revision: number, headers: IncomingHttpHeaders): void {
  const match = headers["if-match"];
  if (match !== undefined) checkPreconditions(revision, { "if-match": match }, false);
}

/** Whether `If-None-Match` names the tag of an answer, all of it: the client has this body. One that is malformed names none. */
export function hasBody(noneMatch: string, tag: string): boolean {
  const tags = parseTags(noneMatch);
  return tags === "any" || (tags?.some((one) => withoutWeakness(one) === tag) ?? false);
}

function readTags(name: string, header: string): Tags {
  const tags = parseTags(header);
  if (tags !== null) return tags;
  throw malformedRequest(
    `${name} must be * or a list of entity tags such as "7-1e6b64223144", in at most ${MAXIMUM_CHARACTERS} characters.`,
  );
}

/** Null for what is neither `*` nor a list of tags. */
function parseTags(header: string): Tags | null {
  if (header === "*") return "any";
  if (header.length > MAXIMUM_CHARACTERS) return null;
  const tags = header.match(TAG);
  return tags !== null && LIST.test(header.replaceAll(TAG, "\n")) ? tags : null;
}

/** RFC 9110 8.8.3.2: the weak comparison, which is that of `If-None-Match`. */
function withoutWeakness(tag: string): string {
  return tag.startsWith(WEAK_PREFIX) ? tag.slice(WEAK_PREFIX.length) : tag;
}

/** 96 bits. */
const DIGEST_CHARACTERS = 16;
const GZIP_ENDING = '-gzip"';
/** A tag of an entity, with its revision. The ending of a shape that lacks a character is not a part of a digest. */
const ENTITY_TAG = /^"(\d+)-(?:[0-9a-f]{12}|(?![0-9a-f]{11,12}-?g?z?i?p?")[\w-]{16})(?:-gzip)?"$/;

/** What the tag of an entity is made of (OPS-10). */
export interface EntityVersion {
  /** One higher with every change of the entity's row. */
  readonly revision: number;
  /**
   * Names how this release lays a row out. Null where a body shows more than its row: values of other entities, or what
   * custom code supplies or converts.
   */
  readonly shape: string | null;
}

/** An entity to answer with. */
export interface Versioned<Entity> extends EntityVersion {
  readonly entity: Entity;
}

/** The strong tag of a body: `"7-<shape>"`, or `"7-<digest>"` where revision and shape do not tell one body from another. */
export function entityTag({ revision, shape }: EntityVersion, body: string): string {
  return `"${revision}-${shape ?? digestOf(body)}"`;
}

/** The strong tag of a body that is the same for everybody. */
export function contentTag(body: Buffer): string {
  return `"${digestOf(body)}"`;
}

function digestOf(body: string | Buffer): string {
  return hash("sha256", body, "base64url").slice(0, DIGEST_CHARACTERS);
}

/** The tag of the same body sent with gzip: other bytes have another strong tag (RFC 9110 8.8.3.3). */
export function compressedTag(tag: string): string {
  return tag.slice(0, -1) + GZIP_ENDING;
}

/** Whether a tag is one of this revision, of whatever shape or body: `"7-<shape>"`, `"7-<digest>"`, or that of either with gzip. */
export function isOfRevision(tag: string, revision: number): boolean {
  return ENTITY_TAG.exec(tag)?.[1] === String(revision);
}

/** One element of a header such as `Accept`: `application/json;charset=utf-8;q=0.5`. */
export interface Preference {
  /** In lower case: `application/json`. */
  readonly name: string;
  /** In lower case, without white space: `charset=utf-8`; the weight is not one of them. */
  readonly parameters: readonly string[];
  /** From 0, not acceptable, to 1 (RFC 9110, 12.4.2). */
  readonly weight: number;
}

/** Text up to a comma outside quotes. A quote that is never closed ends with the text, so that no part is read twice. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/** Reads the elements of a header that says what a client prefers, in time linear in its length. */
export function preferences(header: string): readonly Preference[] {
  return (header.match(ELEMENT) ?? []).map(preference);
}

function preference(element: string): Preference {
  const [name = "", ...parameters] = element.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return {
    name,
    parameters: parameters.filter((parameter) => parameter !== weight).map(plain),
    // A weight that is not a number makes its element not acceptable.
    weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0,
  };
}

function plain(parameter: string): string {
  return parameter.replaceAll(/[\s"]/g, "");
}
