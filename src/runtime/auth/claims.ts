import { v5 } from "uuid";

import { ANONYMOUS } from "../base/common-fields.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { Caller } from "./caller.js";

/** What a token that has been verified says. */
export type Claims = Readonly<Record<string, unknown>>;

const NAMES = ["upn", "preferred_username", "email", "sub"];
const LONGEST_NAME = 1000;
/** Half of a character: no text has one, and nothing can be made of it. */
const LONE_SURROGATE = /\p{Cs}/u;
/** Where a UUID says its version. */
const VERSION_PLACE = 14;
/** Control characters and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** The caller that a token names (AUT-3); null when its subject is not text. `roles` is a dotted path. */
export function callerOf(claims: Claims, issuer: string, roles: string): Caller | null {
  const sub = claims["sub"];
  if (typeof sub !== "string" || sub === "" || LONE_SURROGATE.test(sub)) return null;
  const subjectId = subjectIdOf(sub, issuer);
  const userPrincipalName = NAMES.map((name) => claims[name]).find(isName) ?? subjectId;
  return {
    subject: Object.freeze({ subjectId, userPrincipalName }),
    roles: rolesOf(claims, roles),
    isAnonymous: false,
  };
}

/**
 * A UUID remains what it is, and any other text becomes one of version 5 (RFC 9562). So does a UUID of version 5, and the
 * nil UUID: no subject can be the UUID of another's text, or that of anonymous callers.
 */
function subjectIdOf(sub: string, issuer: string): string {
  const id = parseIdentifier(sub);
  const isKept = id !== null && id !== ANONYMOUS.subjectId && id[VERSION_PLACE] !== "5";
  return isKept ? id : v5(`${issuer}#${sub}`, v5.URL);
}

function isName(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= LONGEST_NAME &&
    !UNPRINTABLE.test(value)
  );
}

/** A list of texts, or a text of words, at a path; a claim whose name has dots itself goes first. */
function rolesOf(claims: Claims, path: string): readonly string[] {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce(member, claims);
  if (typeof found === "string") return found.split(" ").filter((word) => word !== "");
  if (!Array.isArray(found)) return [];
  return found.filter((role: unknown) => typeof role === "string");
}

function member(holder: unknown, name: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return null;
  return Reflect.get(holder, name);
}
