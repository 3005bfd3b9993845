import { hash } from "node:crypto";
import { validationFailed } from "../base/errors.js";
import type { KeyValue, PageKeys } from "./page.js";
import type { ListQuery } from "./query.js";

/** The length of the digest at the start of a token. */
const DIGEST_CHARACTERS = 12;

/** Ties a token to one list, its filters, its sort and its caller (QRY-9). Not a secret: access is checked again for each page. */
export function listDigest(
  path: string,
  { filters, sort }: Pick<ListQuery, "filters" | "sort">,
  subjectId: string,
): string {
  const text = JSON.stringify([path, filters, sort, subjectId]);
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

/** The token of the page that follows an entity. */
export function pageToken(keys: PageKeys, digest: string): string {
  return digest + Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** The keys of a token. Throws `validationFailed` where it is none of this list. */
export function keysOfToken(token: string, digest: string): PageKeys {
  const keys = token.startsWith(digest) ? parsedKeys(token.slice(DIGEST_CHARACTERS)) : null;
  if (keys === null) throw otherToken();
  return keys;
}

/** 400: the token is malformed, or belongs to another list or caller. */
export function otherToken(): Error {
  const message =
    "is not the token of a page of this list: take it from the page before, with the same parameters";
  return validationFailed([{ field: "after", message }]);
}

function parsedKeys(text: string): PageKeys | null {
  try {
    const keys: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return Array.isArray(keys) && keys.every(isKey) ? keys : null;
  } catch {
    return null;
  }
}

function isKey(value: unknown): value is KeyValue {
  return value === null || typeof value === "string" || typeof value === "number";
}

/** The query string of the page that follows, with all else that was asked for. */
export function nextSearch(
  search: string,
  paging: Readonly<Record<string, string | number>>,
): string {
  const next = new URLSearchParams(search);
  for (const name of ["after", "pageNumber"]) next.delete(name);
  for (const [name, value] of Object.entries(paging)) next.set(name, String(value));
  return next.toString();
}
