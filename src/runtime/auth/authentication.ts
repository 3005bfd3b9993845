import type { IncomingMessage } from "node:http";

import type { FastifyBaseLogger } from "fastify";

import type { Clock, Stopwatch } from "../base/time.js";
import type { AuthenticationSettings, BearerSettings } from "./authentication-settings.js";
import { NOBODY, type Caller } from "./caller.js";

/** Says who sends a request. */
export interface Authentication {
  /** Throws 401 for credentials that are not valid; a promise only where a token has to be verified. */
  callerOf(request: IncomingMessage): Caller | Promise<Caller>;
  /** Throws `KeysUnavailable` while no token can be verified since there have never been any keys. */
  checkReady(): Promise<void>;
}

/** The keys cannot be fetched now: that is not the token's fault. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** More tokens have to be verified than can be in time. */
export class AuthenticationBusy extends Error {
  override readonly name = "AuthenticationBusy";
  override readonly message = "Too many tokens have to be verified.";
}

/** What authentication needs of the service. */
export interface AuthenticationContext {
  readonly clock: Clock;
  readonly elapsed: Stopwatch;
  readonly logger: FastifyBaseLogger;
}

/** Makes what verifies bearer tokens. Throws `StartRefusal` if the keys are not a JSON Web Key Set. */
export type BearerPart = new (
  settings: BearerSettings,
  context: AuthenticationContext,
) => Authentication;

/**
 * Identifies callers as the settings say (AUT-1); `Bearer` is left out in a service without authentication. Throws
 * `StartRefusal` if the keys are not a JSON Web Key Set.
 */
export function createAuthentication(
  settings: AuthenticationSettings,
  context: AuthenticationContext,
  Bearer?: BearerPart,
): Authentication {
  if (settings.scheme === "none")
    return { callerOf: () => NOBODY, checkReady: () => Promise.resolve() };
  if (Bearer === undefined) throw new Error("This service cannot verify bearer tokens.");
  return new Bearer(settings, context);
}
