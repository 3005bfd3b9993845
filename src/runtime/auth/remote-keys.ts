import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";

import type { Stopwatch } from "../base/time.js";
import { KeysUnavailable } from "./authentication.js";

/** What tokens are verified with. */
export interface VerificationKeys {
  readonly find: JWTVerifyGetKey;
  /** Throws `KeysUnavailable` while there have never been any. */
  readonly check: () => Promise<void>;
}

type Wanted = Parameters<JWTVerifyGetKey>;
type Found = Awaited<ReturnType<JWTVerifyGetKey>>;

/** What the issuer may take to answer. */
const FETCH_MILLISECONDS = 5000;
/** Keys that are older are fetched again, while the old ones go on being used. */
const FRESH_MILLISECONDS = 600_000;
/** While the issuer cannot be reached, tokens are verified with keys that are at most this old. */
const USABLE_MILLISECONDS = 24 * 3_600_000;
/** A token that names a key nobody knows makes the keys be fetched at most this often. */
const UNKNOWN_KEY_MILLISECONDS = 60_000;
const FIRST_PAUSE_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** What fetching keys needs of its surroundings. */
export interface RemoteKeysOptions {
  readonly elapsed: Stopwatch;
  /** Told of each fetch that failed; `isServing` while older keys are still good. */
  readonly onFailure: (error: Error, isServing: boolean) => void;
}

/**
 * The keys of an issuer, from a URL. One fetch runs at a time; failures make the next one wait, longer each time; no
 * request waits for a fetch unless there is no key for it.
 */
export function remoteKeys(url: URL, options: RemoteKeysOptions): VerificationKeys {
  const keys = new RemoteKeys(url, options);
  return { find: (header, token) => keys.find(header, token), check: () => keys.check() };
}

class RemoteKeys {
  /** Fetches when it is told to, and at no other time: when that is is decided here. */
  private readonly remote: ReturnType<typeof createRemoteJWKSet>;
  private fetched: number | null = null;
  private attempted = -Infinity;
  private failures = 0;
  private fetching: Promise<void> | null = null;

  constructor(
    private readonly url: URL,
    private readonly options: RemoteKeysOptions,
  ) {
    this.remote = createRemoteJWKSet(url, {
      timeoutDuration: FETCH_MILLISECONDS,
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
    });
  }

  /** Fetches keys where there have never been any; an issuer that is gone later does not matter here. */
  async check(): Promise<void> {
    if (this.fetched !== null) return;
    await this.fetchOrFail().catch((cause: unknown) => {
      throw new KeysUnavailable(`No keys have been fetched from ${this.url.host} yet.`, { cause });
    });
  }

  async find(...wanted: Wanted): Promise<Found> {
    if (!this.isYoungerThan(USABLE_MILLISECONDS)) await this.fetchOrFail();
    else if (!this.isYoungerThan(FRESH_MILLISECONDS)) this.fetchAside();
    try {
      return await this.remote(...wanted);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      const mayAsk = this.fetching !== null || this.hasPassed(UNKNOWN_KEY_MILLISECONDS);
      if (!isUnknown || !mayAsk) throw this.faultOf(error);
    }
    // The issuer may have a new key. Where it cannot be asked, the token is not valid as far as is known.
    await this.fetch().catch(() => undefined);
    return this.remote(...wanted);
  }

  /** A key that is named and cannot be used is not the token's fault. */
  private faultOf(error: unknown): unknown {
    const isOfToken =
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWKSMultipleMatchingKeys ||
      error instanceof errors.JOSENotSupported;
    if (isOfToken) return error;
    return new KeysUnavailable(`A key from ${this.url.host} cannot be used.`, { cause: error });
  }

  private async fetchOrFail(): Promise<void> {
    if (this.fetching === null && !this.hasPassed(this.pause)) {
      throw new KeysUnavailable(`No keys from ${this.url.host}; the next attempt is not due yet.`);
    }
    await this.fetch();
  }

  /** Whoever caused it does not wait for it. */
  private fetchAside(): void {
    if (this.fetching === null && this.hasPassed(this.pause)) this.fetch().catch(() => undefined);
  }

  /** Joins the fetch that is under way. */
  private fetch(): Promise<void> {
    this.fetching ??= this.reload().finally(() => {
      this.fetching = null;
    });
    return this.fetching;
  }

  private async reload(): Promise<void> {
    this.attempted = this.options.elapsed();
    try {
      await this.remote.reload();
      this.fetched = this.options.elapsed();
      this.failures = 0;
    } catch (cause) {
      this.failures += 1;
      const error = new KeysUnavailable(`No keys from ${this.url.host}.`, { cause });
      this.options.onFailure(error, this.isYoungerThan(USABLE_MILLISECONDS));
      throw error;
    }
  }

  /** Between two fetches after failures. */
  private get pause(): number {
    if (this.failures === 0) return 0;
    const pause = FIRST_PAUSE_MILLISECONDS * 2 ** (this.failures - 1);
    return Math.min(pause, LONGEST_PAUSE_MILLISECONDS);
  }

  private isYoungerThan(milliseconds: number): boolean {
    return this.fetched !== null && this.options.elapsed() - this.fetched < milliseconds;
  }

  /** Since the last fetch. */
  private hasPassed(milliseconds: number): boolean {
    return this.options.elapsed() - this.attempted >= milliseconds;
  }
}
