import type { IncomingHttpHeaders } from "node:http";

import { malformedRequest, preconditionFailed, preconditionRequired } from "../base/errors.js";
import { isOfRevision } from "./entity-tag.js";

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
