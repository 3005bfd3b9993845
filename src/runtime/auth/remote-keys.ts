import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";

import type { Stopwatch } from "../base/time.js";
import { withTimeout } from "../base/background.js";
import { KeysUnavailable } from "./authentication.js";

/** What tokens are verified with. */
export interface VerificationKeys {
  readonly find: JWTVerifyGetKey;
  /** Throws `KeysUnavailable` while there have never been any. */
  readonly check: () => Promise<void>;
}

/** While the issuer cannot be reached, tokens are verified with keys that are at most this old. */
const USABLE_MILLISECONDS = 24 * 3_600_000;
/** How long a request waits for keys after a fetch has failed. */
const RETRY_MILLISECONDS = 1000;
/** The shortest time between two fetches: to renew good keys, to look for an unknown key, and while there are no keys. */
const PAUSES = { renewal: 300_000, unknownKey: 60_000, noKeys: 1000 };
const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = errors;
/** Any other error means that a key cannot be used. */
const FAULTS_OF_TOKENS = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported];

/**
 * The keys of an issuer, from a URL. A request waits for a fetch only if its key is missing. `onFailure` is called for each
 * failed fetch while older keys are still good.
 */
export function remoteKeys(
  url: URL,
  elapsed: Stopwatch,
  onFailure: (error: Error) => void,
): VerificationKeys {
  const remote = createRemoteJWKSet(url, {
    cacheMaxAge: USABLE_MILLISECONDS,
    // jose would ask an issuer that is down for each token with an unknown key.
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  let ended = -Infinity;
  let failure: unknown;
  const missing = (): Error => new KeysUnavailable(`No keys from ${url.host}.`, { cause: failure });

  /** Joins the fetch that is under way; does nothing where it is too early for another. Never rejects. */
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
      // An issuer that has failed may be silent: requests wait for it only briefly.
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
