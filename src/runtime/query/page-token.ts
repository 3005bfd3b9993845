import { hash } from "node:crypto";
import { validationFailed } from "../base/errors.js";
import type { KeyValue, PageKeys } from "./page.js";
import type { ListQuery } from "./query.js";

/** So many characters say that a token is of the same list, and of the same caller. */
const DIGEST_CHARACTERS = 12;

/** Tells the lists of a caller apart: a token of one is none of another (QRY-9). It is no secret, since each page asks for access anew. */
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

/** 400: the token is of another list, of another caller, or of nobody. */
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
