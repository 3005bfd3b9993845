/** Entity tags and the headers that compare them, and headers that state preferences. */

import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { malformedRequest, preconditionFailed, preconditionRequired } from "../base/errors.js";

/** Far more than all the tags that a client can have for one entity. */
const MAXIMUM_CHARACTERS = 2000;
// A character outside the class ends a match attempt, and so does the next quote: the time is linear.
const TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
/** Matches a list in which each tag has become a line end. Commas, also repeated ones, separate tags (RFC 9110 5.6.1). */
const LIST = /^[ \t,]*\n(?:[ \t]*,[ \t,]*\n)*[ \t,]*$/;
const WEAK_PREFIX = "W/";

type Tags = "any" | readonly string[];

/**
 * Evaluates `If-Match`, then `If-None-Match`, against an accessible entity (RFC 9110 13.2.2). Throws 412, 428 if `If-Match` is
 * required and missing, and 400 if a header is malformed: its client wants to prevent a lost update.
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

/** Evaluates the `If-Match` of a read, if there is one. Throws 412, and 400 if the header is malformed. */
export function checkReadable(revision: number, headers: IncomingHttpHeaders): void {
  const match = headers["if-match"];
  if (match !== undefined) checkPreconditions(revision, { "if-match": match }, false);
}

/** Reports whether `If-None-Match` has the tag of a response, so the client has its body. A malformed header has no tags. */
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

/** Returns null if the header is neither `*` nor a list of tags, or is too long. */
function parseTags(header: string): Tags | null {
  if (header === "*") return "any";
  if (header.length > MAXIMUM_CHARACTERS) return null;
  const tags = header.match(TAG);
  return tags !== null && LIST.test(header.replaceAll(TAG, "\n")) ? tags : null;
}

/** Removes the weakness prefix, for the weak comparison of `If-None-Match` (RFC 9110 8.8.3.2). */
function withoutWeakness(tag: string): string {
  return tag.startsWith(WEAK_PREFIX) ? tag.slice(WEAK_PREFIX.length) : tag;
}

/** 96 bits. */
const DIGEST_CHARACTERS = 16;
const GZIP_ENDING = '-gzip"';
/** The tag of an entity, with its revision. A damaged `<shape>-gzip` must not match as a digest. */
const ENTITY_TAG = /^"(\d+)-(?:[0-9a-f]{12}|(?![0-9a-f]{11,12}-?g?z?i?p?")[\w-]{16})(?:-gzip)?"$/;

/** The input of an entity's tag (OPS-10). */
export interface EntityVersion {
  /** Incremented by every change of the entity's row. */
  readonly revision: number;
  /** Identifies the JSON layout of a row in this release. Null if the body depends on more than the row. */
  readonly shape: string | null;
}

/** An entity for a response. */
export interface Versioned<Entity> extends EntityVersion {
  readonly entity: Entity;
}

/** Returns the strong tag of a body: `"7-<shape>"`, or `"7-<digest>"` if revision and shape do not determine the body. */
export function entityTag({ revision, shape }: EntityVersion, body: string): string {
  return `"${revision}-${shape ?? digestOf(body)}"`;
}

/** Returns the strong tag of a body that is the same for all callers. */
export function contentTag(body: Buffer): string {
  return `"${digestOf(body)}"`;
}

function digestOf(body: string | Buffer): string {
  return hash("sha256", body, "base64url").slice(0, DIGEST_CHARACTERS);
}

/** Returns the tag of the same body with gzip: different bytes need a different strong tag (RFC 9110 8.8.3.3). */
export function compressedTag(tag: string): string {
  return tag.slice(0, -1) + GZIP_ENDING;
}

/** Reports whether a tag belongs to this revision, with any shape or digest, compressed or not. */
export function isOfRevision(tag: string, revision: number): boolean {
  return ENTITY_TAG.exec(tag)?.[1] === String(revision);
}

/** One element of a header such as `Accept`: `application/json;charset=utf-8;q=0.5`. */
export interface Preference {
  /** In lower case: `application/json`. */
  readonly name: string;
  /** In lower case, without white space and without the weight: `charset=utf-8`. */
  readonly parameters: readonly string[];
  /** From 0 (not acceptable) to 1 (RFC 9110, 12.4.2). */
  readonly weight: number;
}

/** Text up to a comma outside quotes. An unclosed quote extends to the end, so that no part is read twice. */
const ELEMENT = /(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;

/** Parses a header that states preferences, in time linear in its length. */
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
