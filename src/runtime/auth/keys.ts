/** The keys that verify tokens, from a file or an issuer's URL, and a bound on concurrent verifications. */

import { readFileSync } from "node:fs";
import {
  createLocalJWKSet,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  createRemoteJWKSet,
  errors,
} from "jose";

import { withTimeout } from "../base/background.js";
import { StartRefusal } from "../base/errors.js";
import type { Stopwatch } from "../base/time.js";
import { KeysUnavailable, AuthenticationBusy } from "./authentication.js";

/** Members of a JWK that hold a secret: of RSA and elliptic curves, and of symmetric keys. */
const SECRETS = ["d", "k"];
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Opens the keys that verify tokens, from a URL or a file. Throws `StartRefusal`. */
export function openKeys(
  keys: string,
  elapsed: Stopwatch,
  onFailure: (error: Error) => void,
): VerificationKeys {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(keys)) return remoteKeys(keysUrl(keys), elapsed, onFailure);
  return { find: localKeys(keys), check: () => Promise.resolve() };
}

/** Refuses URLs over which an attacker on the network could send other keys. Throws `StartRefusal`. */
function keysUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.includes(url.hostname));
  if (url === null || !isSafe || url.username !== "" || url.password !== "") {
    throw new StartRefusal(`AUTH_KEYS must be an https URL or a file, and is "${text}".`);
  }
  return url;
}

/** Reads the keys in a file. Throws `StartRefusal`. */
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

export interface VerificationKeys {
  readonly find: JWTVerifyGetKey;
  /** Throws `KeysUnavailable` if no keys have ever been fetched. */
  readonly check: () => Promise<void>;
}

/** Maximum age of the keys that verify tokens while the issuer cannot be reached. */
const USABLE_MILLISECONDS = 24 * 3_600_000;
/** Time that a request waits for keys after a failed fetch. */
const RETRY_MILLISECONDS = 1000;
/** Minimum time between two fetches: to renew good keys, to look for an unknown key, and while there are no keys. */
const PAUSES = { renewal: 300_000, unknownKey: 60_000, noKeys: 1000 };
const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = errors;
/** Errors of the token. Any other error means that a key cannot be used. */
const FAULTS_OF_TOKENS = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported];

/**
 * Opens the keys of an issuer's URL. A request waits for a fetch only if its key is missing. `onFailure` is called for each
 * failed fetch while older keys are still valid.
 */
function remoteKeys(
  url: URL,
  elapsed: Stopwatch,
  onFailure: (error: Error) => void,
): VerificationKeys {
  const remote = createRemoteJWKSet(url, {
    cacheMaxAge: USABLE_MILLISECONDS,
    // Otherwise, jose would send a request to a failing issuer for each token with an unknown key.
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  let ended = -Infinity;
  let failure: unknown;
  const missing = (): Error => new KeysUnavailable(`No keys from ${url.host}.`, { cause: failure });

  /** Joins the current fetch, or starts one if the pause is over. Never rejects. */
  async function fetchAfter(pause: number): Promise<void> {
    const isFirst = !remote.reloading;
    if (isFirst && elapsed() - ended < pause) return;
    try {
      await remote.reload();
    } catch (cause) {
      failure = cause;
      if (isFirst && remote.fresh) onFailure(missing());
    }
    ended = elapsed();
  }

  return {
    async find(...wanted) {
      if (remote.fresh) void fetchAfter(PAUSES.renewal);
      // An issuer that has failed may not respond, so requests wait only briefly.
      else await briefly(fetchAfter(PAUSES.noKeys), failure !== undefined);
      if (!remote.fresh) throw missing();
      try {
        return await remote(...wanted).catch(async (error: unknown) => {
          if (!(error instanceof JWKSNoMatchingKey)) throw error;
          await fetchAfter(PAUSES.unknownKey);
          return remote(...wanted);
        });
      } catch (error) {
        if (FAULTS_OF_TOKENS.some((fault) => error instanceof fault)) throw error;
        throw new KeysUnavailable(`A key from ${url.host} cannot be used.`, { cause: error });
      }
    },
    async check() {
      if (remote.jwks() === undefined) await fetchAfter(PAUSES.noKeys);
      if (remote.jwks() === undefined) throw missing();
    },
  };
}

async function briefly(work: Promise<void>, isLimited: boolean): Promise<void> {
  await (isLimited ? withTimeout(work, RETRY_MILLISECONDS).catch(() => undefined) : work);
}

/** Enough to keep Node's four threads busy. Each check ends in the event loop, where other work waits. */
const MOST_AT_ONCE = 8;
const MOST_WAITING = 5000;
const LONGEST_WAIT_MILLISECONDS = 2000;

/** Bounds the concurrent signature checks and the waiting time of others, because forged tokens cost nothing (LIM-2). */
export class SignatureChecks {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** Resolves when a check may start; `leave` must follow. Rejects with `AuthenticationBusy` after a long wait. */
  async enter(): Promise<void> {
    if (this.running < MOST_AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MOST_WAITING) throw new AuthenticationBusy();
    const since = performance.now();
    await new Promise<void>((begin) => this.waiting.push(begin));
    if (performance.now() - since < LONGEST_WAIT_MILLISECONDS) return;
    // The late refusal keeps the client from retrying immediately.
    this.leave();
    throw new AuthenticationBusy();
  }

  /** Ends a check, and starts the next one. */
  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
