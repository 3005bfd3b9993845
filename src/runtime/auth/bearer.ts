/** Authentication by signed bearer tokens (RFC 6750, RFC 7519), and the callers that they identify. */

import type { IncomingMessage } from "node:http";
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from "jose";
import { v5 } from "uuid";

import { ANONYMOUS } from "../base/common-fields.js";
import { unauthorized } from "../base/errors.js";
import { parseIdentifier } from "../base/identifiers.js";
import type { Clock, Stopwatch } from "../base/time.js";
import {
  type BearerSettings,
  AuthenticationBusy,
  KeysUnavailable,
  type Authentication,
  type AuthenticationContext,
  NOBODY,
  type Caller,
} from "./authentication.js";
import { SignatureChecks, type VerificationKeys, openKeys } from "./keys.js";

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
  /** The expiry of the token, in milliseconds since 1970. */
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

  /** Throws `StartRefusal` if the keys are not a JSON Web Key Set. */
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
    const { issuer, audience, roles } = this.settings;
    const verified = this.elapsed();
    const payload = await this.payloadOf(token, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(this.clock()),
      requiredClaims: ["exp", "sub"],
    });
    const caller = callerOf(payload, issuer, roles);
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

/** The claims of a verified token. */
type Claims = Readonly<Record<string, unknown>>;

const NAMES = ["upn", "preferred_username", "email", "sub"];
const LONGEST_NAME = 1000;
/** Half of a character, which is invalid in any text. */
const LONE_SURROGATE = /\p{Cs}/u;
/** The index of a UUID's version digit. */
const VERSION_PLACE = 14;
/** Control characters and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Returns the caller of a token (AUT-3), or null if its subject is not text. `roles` is a dotted path. */
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

/** Reads a list of strings, or a string of words. A claim whose name is the whole path wins. */
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
