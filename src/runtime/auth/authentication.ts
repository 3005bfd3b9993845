/**
 * Who calls, and what that caller may do. Start here for the settings and the `Caller`. bearer.ts checks tokens and their keys,
 * and is loaded only if the scheme is `bearer`. access.ts has the access rules of resources. Of HTTP, this folder knows only
 * the header `Authorization` and the errors 401 and 403. It does not know SQL.
 */
import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { FastifyBaseLogger } from "fastify";

import { ANONYMOUS, type Subject } from "../base/common-fields.js";
import { StartRefusal } from "../base/errors.js";
import type { Clock, Stopwatch } from "../base/time.js";

/** The accepted issuer of tokens, and the claims to read (AUT-1). */
export interface BearerSettings {
  readonly scheme: "bearer";
  /** The required `iss` of a token. */
  readonly issuer: string;
  /** The required entry in `aud` of a token. */
  readonly audience: string;
  /** The location of a JWKS: an https URL, http on this machine, or a file. */
  readonly keys: string;
  /** The path of the roles in a token: `realm_access.roles`. */
  readonly roles: string;
  /** AUT-4: the path of the caller's tenant in a token. Absent if no resource has a tenant. */
  readonly tenant?: string;
}

/** The identification of callers. With `none`, all callers are anonymous (AUT-1). */
export type AuthenticationSettings = { readonly scheme: "none" } | BearerSettings;

type Variables = Readonly<Record<string, string | undefined>>;

const SCHEMES = ["bearer", "none"];

/**
 * Applies AUTH_SCHEME, AUTH_ISSUER, AUTH_AUDIENCE and AUTH_KEYS to the authentication of the schemas. Throws `StartRefusal` for
 * an impossible AUTH_SCHEME, and in production without authentication unless AUTH_SCHEME is `none` (AUT-1).
 */
export function readAuthentication(
  variables: Variables,
  declared: AuthenticationSettings,
): AuthenticationSettings {
  const scheme = variables["AUTH_SCHEME"] || null;
  if (scheme !== null && !SCHEMES.includes(scheme)) {
    throw new StartRefusal(`AUTH_SCHEME must be one of ${SCHEMES.join(", ")}, and is "${scheme}".`);
  }
  if (scheme === "none") return { scheme };
  if (declared.scheme === "bearer") return withVariables(variables, declared);
  if (scheme === "bearer") {
    throw new StartRefusal(
      "AUTH_SCHEME=bearer needs `scheme: bearer` in service.yaml, which decides who may do what.",
    );
  }
  if (variables["NODE_ENV"] === "production") {
    throw new StartRefusal(
      "it has no authentication, and NODE_ENV is production. If everybody may use it, set AUTH_SCHEME=none.",
    );
  }
  return declared;
}

function withVariables(variables: Variables, declared: BearerSettings): BearerSettings {
  return {
    ...declared,
    issuer: variables["AUTH_ISSUER"] || declared.issuer,
    audience: variables["AUTH_AUDIENCE"] || declared.audience,
    keys: variables["AUTH_KEYS"] || declared.keys,
  };
}

/** The sender of a request, or a job: its subject, roles and tenant. */
export interface Caller {
  readonly subject: Subject;
  readonly roles: readonly string[];
  /** The claims of the token. Empty for an anonymous caller and a job. */
  readonly claims?: Claims;
  /** AUT-4: the tenant whose entities the caller uses. Absent if the token names none, or the service has none. */
  readonly tenant?: string;
  /** AUT-4: true for custom code that uses the entities of all tenants. Defaults to false. */
  readonly isOfAllTenants?: boolean;
  readonly isAnonymous: boolean;
  /** True for custom code that may do everything (AUT-2). Defaults to false. */
  readonly isUnrestricted?: boolean;
}

/** The claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>;

/** Returns the claim at a dotted path. A claim whose name is the whole path wins. */
export function claimAt(claims: Claims, path: string): unknown {
  return Object.hasOwn(claims, path) ? claims[path] : path.split(".").reduce(member, claims);
}

function member(holder: unknown, name: string): unknown {
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return null;
  return Reflect.get(holder, name);
}

/** Texts that both databases can store. */
const CLAIM_TEXT = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Returns the values of a claim as texts: of a list, or of a single one. */
export function claimTexts({ claims = {} }: Caller, path: string): readonly string[] {
  const found = claimAt(claims, path);
  const all: readonly unknown[] = Array.isArray(found) ? found : [found];
  return all
    .filter(
      // A larger number was rounded when the token was read.
      (one) =>
        ["string", "boolean"].includes(typeof one) ||
        (typeof one === "number" && Math.abs(one) <= Number.MAX_SAFE_INTEGER),
    )
    .map(String)
    .filter((text) => CLAIM_TEXT.test(text));
}

/** The caller of a request without credentials (AUT-3). */
export const NOBODY: Caller = Object.freeze({ subject: ANONYMOUS, roles: [], isAnonymous: true });

/** Returns the caller of jobs, which may do everything. */
export function serviceCaller(name: string): Caller {
  const subject = { ...ANONYMOUS, userPrincipalName: name };
  return { subject, roles: [], isAnonymous: false, isUnrestricted: true };
}

const MAPPED_IPV4 = /^::ffff:(?=[\d.]+$)/i;
const LONGEST_ADDRESS = 45;
const GROUPS_OF_A_NETWORK = 4;

/** Identifies a caller for limits and fair queues: by subject, or by address if anonymous. */
export function callerKey(caller: Caller, address: string | undefined): string {
  return caller === NOBODY ? networkOf(address ?? "") : caller.subject.subjectId;
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address, because each client has a whole network. */
function networkOf(address: string): string {
  const plain = address.replace(MAPPED_IPV4, "");
  // The address that a proxy passes on may be any text.
  if (!isIPv6(plain)) return plain.slice(0, LONGEST_ADDRESS);
  const [head = "", tail] = plain.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  const groups = [...first, ...(tail === undefined ? [] : zeros), ...last];
  return groups
    .slice(0, GROUPS_OF_A_NETWORK)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}

/** Identifies the callers of requests. */
export interface Authentication {
  /**
   * Throws 401 for invalid credentials, and `KeysUnavailable` or `AuthenticationBusy` if a token cannot be verified now.
   * Returns a promise only if a token has to be verified.
   */
  callerOf(request: IncomingMessage): Caller | Promise<Caller>;
  /** Throws `KeysUnavailable` if no keys have ever been fetched. */
  checkReady(): Promise<void>;
}

/** The keys cannot be fetched or used now, which is not a fault of the token. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** More tokens are waiting than can be verified in time. */
export class AuthenticationBusy extends Error {
  override readonly name = "AuthenticationBusy";
  override readonly message = "Too many tokens have to be verified.";
}

export interface AuthenticationContext {
  readonly clock: Clock;
  readonly elapsed: Stopwatch;
  readonly logger: FastifyBaseLogger;
}

/** Creates the authentication of the settings (AUT-1). Throws `StartRefusal` for an unsafe URL or an invalid file of keys. */
export async function createAuthentication(
  settings: AuthenticationSettings,
  context: AuthenticationContext,
): Promise<Authentication> {
  if (settings.scheme === "none")
    return { callerOf: () => NOBODY, checkReady: () => Promise.resolve() };
  // A service without tokens does not load the code that verifies them.
  const { BearerAuthentication } = await import("./bearer.js");
  return new BearerAuthentication(settings, context);
}
