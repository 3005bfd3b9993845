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

/** Signatures by a private key only: none of these can be forged with what is public (RFC 8725, 3.1). */
const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const SKEW_SECONDS = 60;
const LONGEST_TOKEN = 8192;
/** RFC 6750, 2.1; the name of the scheme is in any case (RFC 9110, 11.1). */
const SCHEME = /^bearer(?: |$)/i;
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

const MOST_REMEMBERED = 1000;
/** A key that is withdrawn must not live on for long in the tokens that are remembered. */
const REMEMBERED_MILLISECONDS = 60_000;

interface Remembered {
  readonly caller: Caller;
  /** When the token expires, in milliseconds since 1970. */
  readonly expires: number;
  /** When it was verified, by the time of this process: a clock that is set back does not keep it. */
  readonly verified: number;
}

/** Knows callers by a signed token (RFC 6750, RFC 7519). */
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
    // Node keeps the first of several, and another server in front may have looked at the last.
    if (isRepeated(request.rawHeaders)) throw unauthorized("invalid");
    // RFC 6750 3.1: what is sent for another scheme gets an answer without an error code.
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

  /** The claims of a token. Waits for its key, if need be, before it takes the place of one that could be checked. */
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
      // Why it is not valid is nobody's business (AUT-1).
      throw unauthorized("invalid");
    } finally {
      if (isChecked) this.checks.leave();
    }
  }

  private remember(token: string, known: Remembered): void {
    // The oldest goes, so that many callers do not cost all of them what is known.
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

/** What a token that has been verified says. */
type Claims = Readonly<Record<string, unknown>>;

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
