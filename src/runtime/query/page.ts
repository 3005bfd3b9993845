import { hash } from "node:crypto";

import { validationFailed } from "../base/errors.js";
import type { ListQuery } from "./query.js";

/** A value of a sort column, as the store reads and binds it. */
export type KeyValue = string | number | null;

/** The position of an entity in a sorted list: its sort values, and its identifier. */
export type PageKeys = readonly KeyValue[];

export interface Page<T> {
  readonly results: readonly T[];
  /** Null if the resource does not count (COL-2). */
  readonly itemCount: number | null;
  /** Null for a page that follows a token (QRY-9). */
  readonly pageNumber: number | null;
  readonly pageSize: number;
  /** The limit of the body in bytes; infinite for a page of the default size or of one item (LIM-1). */
  readonly mostBytes: number;
  /** The keys of its last entity; null on the last page. */
  readonly last: PageKeys | null;
  /** The token of the next page, null on the last one (QRY-9); missing if the envelope has no such member. */
  readonly next?: string | null;
}

const DIGEST_CHARACTERS = 12;

/** Ties a token to one list, its filters, its sort and its caller (QRY-9). It is not a secret: each page checks access again. */
export function listDigest(
  path: string,
  { filters, sort }: Pick<ListQuery, "filters" | "sort">,
  identity: string,
): string {
  const text = JSON.stringify([path, filters, sort, identity]);
  return hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);
}

export function pageToken(keys: PageKeys, digest: string): string {
  return digest + Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** Throws `validationFailed` for a token of another list. */
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

/** Returns the query string of the next page: the same parameters, with another position. */
export function nextSearch(
  search: string,
  paging: Readonly<Record<string, string | number>>,
): string {
  const next = new URLSearchParams(search);
  for (const name of ["after", "pageNumber"]) next.delete(name);
  for (const [name, value] of Object.entries(paging)) next.set(name, String(value));
  return next.toString();
}
