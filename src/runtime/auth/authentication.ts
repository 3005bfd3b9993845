import type { IncomingMessage } from "node:http";

import type { FastifyBaseLogger } from "fastify";

import type { Clock, Stopwatch } from "../base/time.js";
import type { AuthenticationSettings } from "./authentication-settings.js";
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

/** Identifies callers as the settings say (AUT-1). Throws `StartRefusal` if the keys are not a JSON Web Key Set. */
export async function createAuthentication(
  settings: AuthenticationSettings,
  context: AuthenticationContext,
): Promise<Authentication> {
  if (settings.scheme === "none")
    return { callerOf: () => NOBODY, checkReady: () => Promise.resolve() };
  // A service without tokens does not load what verifies them.
  const { BearerAuthentication } = await import("./bearer-authentication.js");
  return new BearerAuthentication(settings, context);
}
