import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import {
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  createLocalJWKSet,
  type JSONWebKeySet,
  createRemoteJWKSet,
  errors,
} from "jose";
import { v5 } from "uuid";

import { withTimeout } from "../base/background.js";
import { ANONYMOUS } from "../base/common-fields.js";
import { unauthorized, StartRefusal } from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { Clock, Stopwatch } from "../base/time.js";
import {
  claimAt,
  type BearerSettings,
  AuthenticationBusy,
  KeysUnavailable,
  type Authentication,
  type AuthenticationContext,
  NOBODY,
  type Caller,
  type Claims,
} from "./authentication.js";

/** Authentication by signed bearer tokens (RFC 6750, RFC 7519), and the callers that they identify. */

/** Only algorithms with a private key, whose signatures cannot be forged with public data (RFC 8725, 3.1). */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;
const LONGEST_TOKEN = 8192;
/** RFC 6750, 2.1. The name of the scheme is case-insensitive (RFC 9110, 11.1). */
const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

const MOST_REMEMBERED = 1000;
/** Short, so that tokens of a withdrawn key do not stay valid for long. */
const REMEMBERED_MILLISECONDS = 60_000;

interface Remembered {
  readonly caller: Caller;
  /** The expiry of the token plus the accepted skew, in milliseconds since 1970. */
  readonly expires: number;
  /** The time of the verification on the monotonic clock, because the system clock may be set back. */
  readonly verified: number;
}

export class BearerAuthentication implements Authentication {
  private readonly remembered = new Map<string, Remembered>();
  private readonly checks = new SignatureChecks();
  private readonly clock: Clock;
  private readonly elapsed: Stopwatch;
  private readonly keys: VerificationKeys;

  /** Throws `StartRefusal` for an unsafe URL or an invalid file of keys. */
  constructor(
    private readonly settings: BearerSettings,
    { clock, elapsed, logger }: AuthenticationContext,
  ) {
    this.clock = clock;
    this.elapsed = elapsed;
    this.keys = openKeys(settings.keys, elapsed, (err) =>
      logger.warn({ err }, "the issuer's keys cannot be fetched; older ones are used"),
    );
  }

  callerOf(request: IncomingMessage): Caller | Promise<Caller> {
    const sent = request.headers.authorization;
    if (sent === undefined) return NOBODY;
    // Node keeps the first of several, but a proxy in front may have checked the last.
    if (isRepeated(request.rawHeaders)) throw unauthorized("invalid");
    // Another scheme gets a response without an error code (RFC 6750 3.1).
    if (!SCHEME.test(sent)) throw unauthorized("missing");
    const token = BEARER.exec(sent)?.[1];
    if (token === undefined || token.length > LONGEST_TOKEN) throw unauthorized("invalid");
    const known = this.remembered.get(token);
    if (known !== undefined && this.isCurrent(known)) return known.caller;
    return this.verify(token);
  }

  checkReady(): Promise<void> {
    return this.keys.check();
  }

  private isCurrent({ expires, verified }: Remembered): boolean {
    return this.clock() < expires && this.elapsed() - verified < REMEMBERED_MILLISECONDS;
  }

  private async verify(token: string): Promise<Caller> {
    const { issuer, audience } = this.settings;
    const verified = this.elapsed();
    const payload = await this.payloadOf(token, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(this.clock()),
      requiredClaims: ["exp", "sub"],
    });
    const caller = callerOf(payload, this.settings);
    if (caller === null) throw unauthorized("invalid");
    const expires = ((payload.exp ?? 0) + SKEW_SECONDS) * 1000;
    this.remember(token, { caller, expires, verified });
    return caller;
  }

  /** Returns the claims of a token. Waits for its key before it occupies a slot for signature checks. */
  private async payloadOf(token: string, options: JWTVerifyOptions): Promise<JWTPayload> {
    let isChecked = false;
    const keys: JWTVerifyGetKey = async (header, sent) => {
      const key = await this.keys.find(header, sent);
      await this.checks.enter();
      isChecked = true;
      return key;
    };
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof KeysUnavailable || error instanceof AuthenticationBusy) throw error;
      // The response does not reveal the reason (AUT-1).
      throw unauthorized("invalid");
    } finally {
      if (isChecked) this.checks.leave();
    }
  }

  private remember(token: string, known: Remembered): void {
    // Removes only the oldest, so that many callers do not empty the whole cache.
    const [oldest] = this.remembered.size >= MOST_REMEMBERED ? this.remembered.keys() : [];
    if (oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(token, known);
  }
}

/** Names and values alternate in raw headers. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "authorization") count += 1;
  }
  return count > 1;
}

const NAMES = ["upn", "preferred_username", "email", "sub"];
const LONGEST_NAME = 1000;
/** Half of a character, which is invalid in any text. */
const LONE_SURROGATE = /\p{Cs}/u;
/** The index of a UUID's version digit. */
const VERSION_PLACE = 14;
/** Control characters and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** The settings that a caller depends on. */
type ClaimSettings = Pick<BearerSettings, "issuer" | "roles" | "tenant">;

/** Returns the caller of a token (AUT-3, AUT-4), or null if its subject is empty or not valid text. */
export function callerOf(claims: Claims, { issuer, roles, tenant }: ClaimSettings): Caller | null {
  const sub = claims["sub"];
  if (typeof sub !== "string" || sub === "" || LONE_SURROGATE.test(sub)) return null;
  const subjectId = subjectIdOf(sub, issuer);
  const userPrincipalName = NAMES.map((name) => claims[name]).find(isName) ?? subjectId;
  return {
    subject: Object.freeze({ subjectId, userPrincipalName }),
    roles: rolesOf(claimAt(claims, roles)),
    claims,
    ...(tenant !== undefined && tenantIn(claimAt(claims, tenant))),
    isAnonymous: false,
  };
}

/** The longest tenant that fits into an index of PostgreSQL together with the longest string. */
const LONGEST_TENANT = 60;

/** AUT-4: a tenant is a string, which is compared exactly. */
function tenantIn(found: unknown): Pick<Caller, "tenant"> {
  return isName(found) && found.length <= LONGEST_TENANT ? { tenant: found } : {};
}

/**
 * Keeps a UUID, and converts any other text to a UUID of version 5 (RFC 9562). Also converts version-5 UUIDs and the nil UUID,
 * so that no subject can imitate the id of another subject or of anonymous callers.
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

/** Reads a list of strings, or a string of words. */
function rolesOf(found: unknown): readonly string[] {
  if (typeof found === "string") return found.split(" ").filter((word) => word !== "");
  if (!Array.isArray(found)) return [];
  return found.filter((role: unknown) => typeof role === "string");
}

/** Members of a JWK that hold a secret: of RSA and elliptic curves, and of symmetric keys. */
const SECRETS = ["d", "k"];
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Opens the keys that verify tokens, from a URL or a file. Throws `StartRefusal`. */
function openKeys(
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

interface VerificationKeys {
  readonly find: JWTVerifyGetKey;
  /** Throws `KeysUnavailable` if no keys have ever been fetched. */
  readonly check: () => Promise<void>;
}

/** Maximum age of the keys that verify tokens while the issuer cannot be reached. */
const USABLE_MILLISECONDS = 24 * 3_600_000;
/** Maximum time that a request waits for a fetch of keys once a fetch has failed. */
const RETRY_MILLISECONDS = 1000;
/** Minimum time between two fetches: to renew good keys, to look for an unknown key, and while there are no keys. */
const PAUSES = { renewal: 300_000, unknownKey: 60_000, noKeys: 1000 };
const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = errors;
/** Errors of the token. Any other error means that a key cannot be used. */
const FAULTS_OF_TOKENS = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported];

/**
 * Opens the keys of an issuer's URL. A request waits for a fetch only if its key is missing or the keys are too old.
 * `onFailure` is called for each failed fetch while older keys are still valid.
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

/** Bounds the number of concurrent and waiting signature checks, because forged tokens cost nothing (LIM-2). */
export class SignatureChecks {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /**
   * Resolves when a check may start; `leave` must follow. Rejects with `AuthenticationBusy` at once if too many checks wait, or
   * when its turn comes after a long wait.
   */
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
