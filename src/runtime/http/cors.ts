import type { FastifyReply, FastifyRequest } from "fastify";

import type { CorsSettings } from "./settings.js";
import { addVary } from "./response.js";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id";
const ANSWER_HEADERS =
  "Deprecation, ETag, Link, Location, Retry-After, Sunset, WWW-Authenticate, X-Request-Id";
const MOST_SECONDS = "600";
const ALLOWED = "access-control-allow-origin";
const READABLE = "access-control-expose-headers";

/**
 * Sets the CORS headers (Fetch standard). Answers a preflight of an allowed origin, and then returns true. Cookies are never
 * allowed, because callers use tokens.
 */
export function allowOrigin(
  settings: CorsSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { headers, method } = request;
  const { vary, ...told } = originHeaders(settings, headers.origin);
  const isPreflight = method === "OPTIONS" && "access-control-request-method" in headers;
  if (vary !== undefined) addVary(reply, vary);
  reply.headers(told);
  if (!isPreflight || told[ALLOWED] === undefined) return false;
  reply.removeHeader(READABLE);
  reply.header("access-control-allow-methods", METHODS);
  reply.header("access-control-allow-headers", REQUEST_HEADERS);
  reply.header("access-control-max-age", MOST_SECONDS);
  reply.code(204).send();
  return true;
}

/** Returns the CORS headers of a response to a page of this origin. */
export function originHeaders(
  { origins }: CorsSettings,
  origin: string | undefined,
): Readonly<Record<string, string>> {
  const isOpen = origins.includes("*");
  const vary = isOpen ? {} : { vary: "Origin" };
  const isAllowed = origin !== undefined && (isOpen || origins.includes(origin));
  return isAllowed
    ? { ...vary, [ALLOWED]: isOpen ? "*" : origin, [READABLE]: ANSWER_HEADERS }
    : vary;
}
