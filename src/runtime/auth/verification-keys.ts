import { readFileSync } from "node:fs";

import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

import { StartRefusal } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { remoteKeys, type VerificationKeys } from "./remote-keys.js";

/** Members of a JWK that hold a secret: of RSA and elliptic curves, and of symmetric keys. */
const SECRETS = ["d", "k"];
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The keys that tokens are signed with, from a URL or a file. Throws `StartRefusal`. */
export function openKeys(
  keys: string,
  elapsed: Stopwatch,
  onFailure: (error: Error) => void,
): VerificationKeys {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(keys)) return remoteKeys(keysUrl(keys), elapsed, onFailure);
  return { find: localKeys(keys), check: () => Promise.resolve() };
}

/** Where keys may be fetched from: nobody in between can give others. Throws `StartRefusal`. */
function keysUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.includes(url.hostname));
  if (url === null || !isSafe || url.username !== "" || url.password !== "") {
    throw new StartRefusal(`AUTH_KEYS must be an https URL or a file, and is "${text}".`);
  }
  return url;
}

/** The keys in a file. Throws `StartRefusal`. */
function localKeys(file: string): JWTVerifyGetKey {
  const refusal = (problem: string): StartRefusal =>
    new StartRefusal(`the keys in "${file}" ${problem}.`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    const isOfDevelopment = file.startsWith(".keys/");
    throw refusal(`cannot be read${isOfDevelopment ? ": `npm run token` makes them" : ""}`);
  }
  let found: ReturnType<typeof createLocalJWKSet>;
  try {
    found = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
  } catch {
    throw refusal("are not a JSON Web Key Set");
  }
  const { keys } = found.jwks();
  if (keys.length === 0) throw refusal("are none");
  if (keys.some((key) => SECRETS.some((name) => Object.hasOwn(key, name)))) {
    throw refusal("contain a private key, and a service needs only public keys");
  }
  return found;
}
