import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { BearerPart } from "../auth/authentication.js";
import type { Caller } from "../auth/caller.js";
import type { Stopwatch } from "../base/time.js";
import type { Handler, HttpCall, HttpReply } from "./http.js";
import type { CorsSettings, Kernel } from "./settings.js";

/** Parts of the runtime that only some services have; the registry names those of this one. */
export interface ServiceParts {
  /** AUT-1; left out: the service has no authentication. */
  readonly bearer?: BearerPart;
  /** LIM-2; left out: callers are not counted. */
  readonly callerLimit?: CallerLimitPart;
  /** Left out: no page of another origin may call it from a browser. */
  readonly cors?: CorsPart;
  /** OPS-12; left out: the service has no POST. */
  readonly idempotency?: IdempotencyPart;
}

/** Tells browsers which pages may read an answer. */
export interface CorsPart {
  /** Says whether the request was a preflight, which it has answered. */
  allow(settings: CorsSettings, request: FastifyRequest, reply: FastifyReply): boolean;
  /** What any other answer to a page of an origin carries. */
  headersOf(settings: CorsSettings, origin: string | undefined): Readonly<Record<string, string>>;
}

/** Counts the requests of each caller. Throws 429. */
export interface CallerCounter {
  count(caller: Caller, address: string | undefined): void;
}

/** Makes the counter of a service. */
export type CallerLimitPart = new (requestsPerMinute: number, elapsed: Stopwatch) => CallerCounter;

/** What a request with an `Idempotency-Key` sent beside its body as JSON. */
export interface SentWithKey {
  /** The `Idempotency-Key` header. */
  readonly header: string;
  /** The path, with identifiers in lower case. */
  readonly path: string;
  readonly body: Uint8Array;
}

/** Answers requests with an `Idempotency-Key`: each key once, and the same answer again after that. */
export interface KeyedAnswers {
  answer(sent: SentWithKey, call: HttpCall, handler: Handler): Promise<HttpReply>;
}

/** What a service with an operation that creates does with the keys of requests. */
export interface IdempotencyPart {
  answersOf(kernel: Kernel): KeyedAnswers;
  /** Removes expired answers while the service listens. */
  removeExpired(app: FastifyInstance, kernel: Kernel): void;
}
